import { ActorType, AuditEventType } from "@baton/contract";
import type { HubAuditEvent } from "../driver/work.ts";

/** The hub itself, where nobody asked for what happened. */
const hub = { type: ActorType.ORCHESTRATOR, id: "" };

/** Commands run with less isolation than was configured or asked for. */
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

/** Other files are in force from now on. */
export function configurationChanged(changes: readonly string[]): HubAuditEvent {
  return {
    eventType: AuditEventType.CONFIGURATION_CHANGED,
    actor: hub,
    action: "brought a changed configuration into force",
    rationale: shorten(changes.join("; ")),
  };
}

/** Somebody has read all of the record, or all of it about a pipeline. */
export function recordExported(
  by: { readonly kind: "human" | "agent" | "system"; readonly id: string },
  what: string,
): HubAuditEvent {
  return {
    eventType: AuditEventType.RECORD_EXPORTED,
    actor: { type: actorTypes[by.kind], id: by.id },
    action: `exported ${what}`,
    rationale: "",
  };
}

/** Calls that were refused since the entry before. */
export function keyRefused(keyId: string, reason: string, calls: number): HubAuditEvent {
  const key = keyId === "" ? "a key that is not known" : `the key "${keyId}"`;
  return {
    eventType: AuditEventType.KEY_REFUSED,
    actor: { type: ActorType.SYSTEM, id: keyId },
    action: `refused ${calls === 1 ? "a call" : `${calls} calls`} with ${key}`,
    rationale: reason,
  };
}

const actorTypes = { human: ActorType.HUMAN, agent: ActorType.AGENT, system: ActorType.SYSTEM };

const longestRationale = 2_000;

function shorten(text: string): string {
  return text.length <= longestRationale ? text : `${text.slice(0, longestRationale).toWellFormed()}…`;
}
