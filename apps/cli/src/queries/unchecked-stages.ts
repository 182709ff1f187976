import { type AuditEntry, AuditEventType, type Pipeline, StageStatus } from "@baton/contract/forms";
import { isUnchecked } from "@baton/kernel/deciding";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { listEntriesIfAllowed } from "./list-entries.ts";

/** Stages whose result was accepted unchecked, because their contract names nothing to check (PIP-06). */
export async function uncheckedStages(
  hub: Hub,
  { pipelineId, stages }: Pipeline,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const completed = stages.filter(({ status }) => status === StageStatus.COMPLETED);
  if (completed.length === 0) return [];
  const filter = all(
    `pipeline_id = ${quote(pipelineId)}`,
    `event_type = AUDIT_EVENT_TYPE_${AuditEventType[AuditEventType.GATE_PASSED]}`,
  );
  const entries = (await listEntriesIfAllowed(hub, filter, signal)) ?? [];
  return completed.flatMap(({ stageId, dispatchId }) => {
    const passed = entries.findLast((entry) => entry.dispatchId === dispatchId);
    return passed !== undefined && isUncheckedGate(passed) ? [stageId] : [];
  });
}

/** Of a passed gate. The actor is the reviewer unless the entry names one. */
function isUncheckedGate({ actor, snapshot }: AuditEntry): boolean {
  const payload = snapshot?.snapshotPayload;
  if (payload?.case !== "gate") return false;
  const { checks, reviewer = actor } = payload.value;
  return isUnchecked({ checks, passed: true, reviewer });
}
