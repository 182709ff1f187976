import { AuditEventType } from "@baton/contract/messages";
import { quoted } from "../../hub/read-pages.ts";

/** Event types by the names that filters use. */
export const eventTypes = Object.keys(AuditEventType).filter(
  (name) => Number.isNaN(Number(name)) && name !== "UNSPECIFIED",
);

export interface AuditFilter {
  readonly pipelineId: string;
  readonly eventType: string;
  /** Only entries before this sequence. */
  readonly before: string;
}

export function readAuditFilter(query: URLSearchParams): AuditFilter {
  const eventType = query.get("type") ?? "";
  const before = query.get("before") ?? "";
  return {
    pipelineId: query.get("run") ?? "",
    eventType: eventTypes.includes(eventType) ? eventType : "",
    before: /^\d{1,15}$/.test(before) ? before : "",
  };
}

export function auditFilterText({ pipelineId, eventType, before }: AuditFilter): string {
  return [
    ...(pipelineId === "" ? [] : [`pipeline_id ~ ${quoted(pipelineId.slice(0, 100))}`]),
    ...(eventType === "" ? [] : [`event_type = ${eventType}`]),
    ...(before === "" ? [] : [`sequence < ${before}`]),
  ].join(" AND ");
}

/** "Gate rejected" for GATE_REJECTED. A pipeline of the contract is displayed as a run. */
export function eventWords(type: AuditEventType): string {
  const words = (AuditEventType[type] ?? "")
    .toLowerCase()
    .replaceAll("_", " ")
    .replace(/^pipeline /, "run ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const bad = new Set([
  AuditEventType.PIPELINE_FAILED,
  AuditEventType.DISPATCH_TIMEOUT,
  AuditEventType.RESULT_INVALID,
  AuditEventType.GATE_FAILED,
  AuditEventType.GATE_REJECTED,
  AuditEventType.AGENT_QUARANTINED,
  AuditEventType.KEY_REFUSED,
  AuditEventType.TURN_REFUSED,
  AuditEventType.SANDBOX_DOWNGRADED,
  AuditEventType.TENANT_STOPPED,
]);
const good = new Set([
  AuditEventType.PIPELINE_COMPLETED,
  AuditEventType.GATE_PASSED,
  AuditEventType.AGENT_RESTORED,
  AuditEventType.TENANT_STARTED,
]);
const asks = new Set([
  AuditEventType.ESCALATION,
  AuditEventType.ESCALATION_RESOLVED,
  AuditEventType.PIPELINE_PAUSED,
  AuditEventType.PIPELINE_ABORTED,
  AuditEventType.PIPELINE_REWOUND,
]);

export function eventTone(type: AuditEventType): string {
  if (bad.has(type)) return "bad";
  if (good.has(type)) return "good";
  return asks.has(type) ? "asks" : "quiet";
}
