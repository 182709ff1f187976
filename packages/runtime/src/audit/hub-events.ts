import { ActorType, type AuditActor, AuditEventType } from "@baton/contract";
import { stageOf } from "../ports/stored-command.ts";

/** An event of the hub itself or its callers, for the audit record. */
export interface HubAuditEvent {
  readonly eventType: AuditEventType;
  readonly actor: Pick<AuditActor, "type" | "id">;
  readonly action: string;
  readonly rationale: string;
  /** Set for events of an attempt. */
  readonly pipelineId?: string;
  readonly stageId?: string;
  readonly dispatchId?: string;
}

/** The actor of events without a caller. */
const hub = { type: ActorType.ORCHESTRATOR, id: "" };

/** Commands run with weaker isolation than configured. */
export function sandboxDowngraded({
  wanted,
  used,
  reason,
}: {
  /** Kinds of sandbox, such as "bubblewrap" and "process". */
  readonly wanted: string;
  readonly used: string;
  readonly reason: string;
}): HubAuditEvent {
  return {
    eventType: AuditEventType.SANDBOX_DOWNGRADED,
    actor: hub,
    action: `runs commands in the sandbox "${used}" instead of "${wanted}"`,
    rationale: reason,
  };
}

/** A changed configuration is active. */
export function configurationChanged(changes: readonly string[]): HubAuditEvent {
  return {
    eventType: AuditEventType.CONFIGURATION_CHANGED,
    actor: hub,
    action: "brought a changed configuration into force",
    rationale: shorten(changes.join("; ")),
  };
}

/** A caller exported the record, or the record of a pipeline. */
export function recordExported(
  by: { readonly kind: "human" | "agent" | "system"; readonly id: string },
  content: string,
): HubAuditEvent {
  return {
    eventType: AuditEventType.RECORD_EXPORTED,
    actor: { type: actorTypes[by.kind], id: by.id },
    action: `exported ${content}`,
    rationale: "",
  };
}

/** Refused calls since the previous entry. */
export function keyRefused(keyId: string, reason: string, calls: number): HubAuditEvent {
  const key = keyId === "" ? "an unknown key" : `the key "${keyId}"`;
  return {
    eventType: AuditEventType.KEY_REFUSED,
    actor: { type: ActorType.SYSTEM, id: keyId },
    action: `refused ${calls === 1 ? "a call" : `${calls} calls`} with ${key}`,
    rationale: reason,
  };
}

/** An agent sent a turn that differs from the stored one. */
export function turnRefused(
  { packId, pipelineId, dispatchId }: Record<"packId" | "pipelineId" | "dispatchId", string>,
  reason: string,
): HubAuditEvent {
  return {
    eventType: AuditEventType.TURN_REFUSED,
    actor: { type: ActorType.AGENT, id: packId },
    action: "refused a turn",
    rationale: reason,
    ...{ pipelineId, stageId: stageOf(dispatchId), dispatchId },
  };
}

const actorTypes = { human: ActorType.HUMAN, agent: ActorType.AGENT, system: ActorType.SYSTEM };

const maxRationale = 2_000;

function shorten(text: string): string {
  return text.length <= maxRationale ? text : `${text.slice(0, maxRationale).toWellFormed()}…`;
}
