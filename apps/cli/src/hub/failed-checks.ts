import {
  AuditEventType,
  type GateCheck,
  GateCheckStatus,
  type Pipeline,
  StageStatus,
} from "@baton/contract/forms";
import type { Hub } from "./connect-hub.ts";
import { all, quote } from "./filter.ts";
import { listEntriesIfAllowed } from "./list-entries.ts";

/** A check of a stage that did not pass when it was last looked at. */
export interface FailedCheck {
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly check: GateCheck;
}

/** What did not pass of stages that are not done, at their last attempt. Whoever may not read the record sees none. */
export async function failedChecks(
  hub: Hub,
  { pipelineId, stages }: Pipeline,
  signal: AbortSignal,
): Promise<readonly FailedCheck[]> {
  const open = stages.filter(
    ({ status, attemptNumber }) => status !== StageStatus.COMPLETED && attemptNumber > 0,
  );
  if (open.length === 0) return [];
  const filter = all(
    `pipeline_id = ${quote(pipelineId)}`,
    `event_type = AUDIT_EVENT_TYPE_${AuditEventType[AuditEventType.GATE_FAILED]}`,
  );
  const entries = (await listEntriesIfAllowed(hub, filter, signal)) ?? [];
  return open.flatMap(({ stageId }) => {
    const last = entries.findLast((entry) => entry.stageId === stageId);
    const payload = last?.snapshot?.snapshotPayload;
    const checks = payload?.case === "gate" ? payload.value.checks : [];
    return checks
      .filter(({ status }) => status === GateCheckStatus.FAILED)
      .map((check) => ({ stageId, attemptNumber: last?.attemptNumber ?? 0, check }));
  });
}
