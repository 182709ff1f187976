import {
  AuditEventType,
  type DispatchSnapshot,
  type ExplainDispatchResponse,
  ExplainDispatchResponseSchema,
  type Pipeline,
  type Stage,
  StageStatus,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { listEntriesIfAllowed } from "./list-entries.ts";
import { openQuestions } from "./list-escalations.ts";
import { hasEnded } from "./run-state.ts";

/**
 * Why a stage has no agent (DIS-09), in the form in which the hub explains a dispatch: what it waits for, the candidates, and
 * what would help. Without the audit record the candidates are left out.
 */
export async function explainWaiting(
  hub: Hub,
  pipeline: Pipeline,
  stage: Stage,
  signal: AbortSignal,
): Promise<ExplainDispatchResponse> {
  const snapshot = await lastChoice(hub, pipeline, stage, signal);
  const questions = hasEnded(pipeline) ? [] : await openQuestions(hub, pipeline, signal);
  const advice = questions.find(({ stageId }) => stageId === stage.stageId)?.snapshot?.recommended;
  const explanation = [
    `"${stage.taskType || stage.stageId}" went nowhere: ${reasonOf(pipeline, stage)}`,
    ...(snapshot === undefined ? [] : [`  routing policy ${snapshot.routingPolicyVersion}`]),
    ...(snapshot?.candidates ?? []).map(({ packId, reason }) => `  - pack "${packId}": ${reason}`),
    ...(advice ? [`  what would help: ${advice}`] : []),
  ].join("\n");
  return create(ExplainDispatchResponseSchema, { explanation, ...(snapshot && { snapshot }) });
}

function reasonOf(pipeline: Pipeline, { waitingFor, status }: Stage): string {
  if (hasEnded(pipeline)) return "its run ended before it was sent";
  if (waitingFor === "") return "it has not been looked at yet";
  const nobody = "an agent: "; // The reason alone reads better than "waits for an agent".
  if (waitingFor.startsWith(nobody)) return waitingFor.slice(nobody.length);
  const isAtRest = status === StageStatus.FAILED || status === StageStatus.SKIPPED;
  return isAtRest ? waitingFor : `it waits for ${waitingFor}`;
}

/** The last choice that found no agent. A stage that waits for other stages has none. */
async function lastChoice(
  hub: Hub,
  { pipelineId }: Pipeline,
  { stageId, status }: Stage,
  signal: AbortSignal,
): Promise<DispatchSnapshot | undefined> {
  if (status === StageStatus.PENDING) return undefined;
  const filter = all(
    `pipeline_id = ${quote(pipelineId)}`,
    `event_type = AUDIT_EVENT_TYPE_${AuditEventType[AuditEventType.DISPATCH_DECISION]}`,
  );
  const entries = (await listEntriesIfAllowed(hub, filter, signal)) ?? [];
  const payload = entries.findLast((entry) => entry.stageId === stageId)?.snapshot?.snapshotPayload;
  return payload?.case === "dispatch" && payload.value.selectedPackId === "" ? payload.value : undefined;
}
