import {
  AuditEventType,
  type GateCheck,
  GateCheckStatus,
  type Pipeline,
  StageStatus,
} from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { listEntriesIfAllowed } from "./list-entries.ts";

/** A check of a stage that failed the last time. */
export interface FailedCheck {
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly check: GateCheck;
}

/** The failed checks at the last attempt of incomplete stages. Empty when the key may not read the audit record. */
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
