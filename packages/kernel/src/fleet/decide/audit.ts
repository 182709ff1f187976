import { ActorType, AuditEventType } from "@baton/contract";
import type { AmountLimit } from "../../spend-limits.ts";
import type { Conduct } from "../health/standing.ts";
import type { OfInstance } from "../state/record.ts";

/** An audit entry before the audit log assigns its id, time and position in the chain (A §5.2). */
export interface FleetAudit {
  readonly eventType:
    | AuditEventType.AGENT_QUARANTINED
    | AuditEventType.AGENT_RESTORED
    | AuditEventType.RESULT_INVALID
    | AuditEventType.TENANT_STOPPED
    | AuditEventType.TENANT_STARTED
    | AuditEventType.LIMITS_CHANGED
    | AuditEventType.TOOL_CHANGED
    | AuditEventType.TOOL_ACCEPTED;
  readonly packId: string;
  readonly actor: { readonly type: ActorType; readonly id: string };
  readonly action: string;
  readonly rationale: string;
  /** For entries about an agent. */
  readonly snapshot?: {
    readonly snapshotPayload: {
      readonly case: "agent";
      readonly value: {
        readonly instanceId: string;
        readonly consecutiveFailures: number;
        readonly lastError: string;
      };
    };
  };
}

export function auditQuarantine(instance: OfInstance, conduct: Conduct): FleetAudit {
  return {
    eventType: AuditEventType.AGENT_QUARANTINED,
    packId: instance.packId,
    actor: { type: ActorType.ORCHESTRATOR, id: "" },
    action: `quarantined instance ${instance.instanceId}`,
    rationale: quarantineReason(conduct),
    snapshot: snapshotOf(instance, conduct),
  };
}

/** A result that belongs to no attempt: no run has a record to hold it. */
export function auditUnmatchedResult(instance: OfInstance, conduct: Conduct, error: string): FleetAudit {
  return {
    eventType: AuditEventType.RESULT_INVALID,
    packId: instance.packId,
    actor: { type: ActorType.AGENT, id: instance.instanceId },
    action: "refused a result that answers no attempt",
    rationale: error,
    snapshot: snapshotOf(instance, conduct),
  };
}

function quarantineReason({ inheritedFrom, lastError, ...counts }: Conduct): string {
  if (inheritedFrom !== undefined) return lastError;
  return countInARow(counts);
}

function countInARow({
  consecutiveInvalidResults: invalid,
  consecutiveDisprovedClaims: disproved,
}: Omit<Conduct, "lastError">) {
  if (disproved > invalid) return `${disproved} results in a row whose claims did not hold`;
  return `${invalid} invalid results in a row`;
}

/** The snapshot holds the conduct for which the instance was quarantined. */
export function auditRestore(instance: OfInstance, before: Conduct, by: string, reason: string): FleetAudit {
  return {
    eventType: AuditEventType.AGENT_RESTORED,
    packId: instance.packId,
    actor: { type: ActorType.HUMAN, id: by },
    action: `restored instance ${instance.instanceId}`,
    rationale: reason,
    snapshot: snapshotOf(instance, before),
  };
}

export function auditHalt(kind: "stop" | "start", by: string, reason: string): FleetAudit {
  return {
    eventType: kind === "stop" ? AuditEventType.TENANT_STOPPED : AuditEventType.TENANT_STARTED,
    packId: "",
    actor: { type: ActorType.HUMAN, id: by },
    action: kind === "stop" ? "stopped all work of the tenant" : "let the tenant work again",
    rationale: reason,
  };
}

export function auditRaise(amounts: AmountLimit, by: string, reason: string): FleetAudit {
  const { tokens, costMicroUsd } = amounts;
  const named = [
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(costMicroUsd === undefined ? [] : [`$${(costMicroUsd / 1e6).toFixed(2)}`]),
  ];
  return {
    eventType: AuditEventType.LIMITS_CHANGED,
    packId: "",
    actor: { type: ActorType.HUMAN, id: by },
    action: `raised the limit of today by ${named.join(" and ")}`,
    rationale: reason,
  };
}

export function auditToolChanged(packId: string, name: string, before: string, after: string): FleetAudit {
  return {
    eventType: AuditEventType.TOOL_CHANGED,
    packId,
    actor: { type: ActorType.ORCHESTRATOR, id: "" },
    action: `stopped offering the tool ${name}`,
    rationale: `its server changed the definition from ${before} to ${after}`,
  };
}

interface AcceptedTool {
  readonly packId: string;
  readonly name: string;
  readonly digest: string;
  readonly by: string;
  readonly reason: string;
}

export function auditToolAccepted({ packId, name, digest, by, reason }: AcceptedTool): FleetAudit {
  return {
    eventType: AuditEventType.TOOL_ACCEPTED,
    packId,
    actor: { type: ActorType.HUMAN, id: by },
    action: `accepted the definition ${digest} of the tool ${name}`,
    rationale: reason,
  };
}

function snapshotOf({ instanceId }: OfInstance, conduct: Conduct): Required<FleetAudit>["snapshot"] {
  const { consecutiveInvalidResults, consecutiveDisprovedClaims, lastError } = conduct;
  const consecutiveFailures = Math.max(consecutiveInvalidResults, consecutiveDisprovedClaims);
  return { snapshotPayload: { case: "agent", value: { instanceId, consecutiveFailures, lastError } } };
}
