import {
  AttemptEnding,
  type AttemptSummary,
  AttemptSummarySchema,
  type DispatchSnapshot,
  GateCheckStatus,
  type GateSnapshot,
  GateSnapshotSchema,
  type GetAttemptResponse,
  GetAttemptResponseSchema,
  type StageWait,
  StageWaitSchema,
  type TaskEnvelope,
} from "@baton/contract";
import {
  explainRoute,
  type GateCheckFinding,
  isConsultation,
  type PipelineState,
  shortenReason,
} from "@baton/kernel";
import { isUnchecked } from "@baton/kernel/deciding";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { AttemptHistory, WaitHistory } from "./attempt-history.ts";
import { waitText } from "./pipeline-view.ts";

/** Ids of attempts that were accepted without checks, and of those where this is unknown. */
export interface UncheckedAttempts {
  readonly unchecked: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
}

/** The list view of an attempt. */
export function summaryView(
  { plan }: PipelineState,
  history: AttemptHistory,
  { unchecked, unknown }: UncheckedAttempts,
): AttemptSummary {
  const { stage, dispatch, result, receivedAtMs, reviewAtMs, endedAtMs, ending, reason, setAside } = history;
  return create(AttemptSummarySchema, {
    dispatchId: dispatch.dispatchId,
    stageId: plan.stages[stage]?.id ?? "",
    attemptNumber: dispatch.attempt,
    packId: dispatch.choice.packId,
    instanceId: dispatch.choice.instanceId,
    sentAt: timestampFromMs(dispatch.atMs),
    ...(receivedAtMs !== undefined && { receivedAt: timestampFromMs(receivedAtMs) }),
    ...(reviewAtMs !== undefined && { reviewAt: timestampFromMs(reviewAtMs) }),
    ...(endedAtMs !== undefined && { endedAt: timestampFromMs(endedAtMs) }),
    ending: ending === undefined ? AttemptEnding.UNSPECIFIED : AttemptEnding[ending],
    ...{ reason: shortenReason(reason), setAside },
    ...(result?.status && { outcome: result.status.outcome }),
    unchecked: ending === "ACCEPTED" && unchecked.has(dispatch.dispatchId),
    checksUnknown: ending === "ACCEPTED" && unknown.has(dispatch.dispatchId),
  });
}

/** Entries of the audit record about an attempt. */
export interface AuditedAttempt {
  readonly gate: GateSnapshot | undefined;
  readonly dispatch: DispatchSnapshot | undefined;
  /** Older entries were not read. */
  readonly isCut: boolean;
}

/** The full view of an attempt. */
export function attemptView(
  state: PipelineState,
  history: AttemptHistory,
  audited: AuditedAttempt,
): GetAttemptResponse {
  const { dispatch, checks, disregarded } = history;
  const isVisible = !isConsultation(state);
  const { result } = history;
  const gate = audited.gate ?? (checks.length > 0 ? gateView(checks) : undefined);
  const ownId = new Set([dispatch.dispatchId]);
  const noIds = new Set<string>();
  const taken = {
    unchecked: gate && isUnchecked(gate) ? ownId : noIds,
    unknown: !gate && audited.isCut ? ownId : noIds,
  };
  return create(GetAttemptResponseSchema, {
    summary: summaryView(state, history, taken),
    envelope: isVisible ? history.envelope : withoutInputs(history.envelope),
    ...(isVisible && result && { result }),
    ...(gate && { gate }),
    ...(audited.dispatch && { dispatch: audited.dispatch }),
    explanation: explainRoute(dispatch.question.taskType, dispatch.choice),
    disregarded,
  });
}

/** What a consulted agent reads has the answer that is withheld, and what it answers may repeat it. */
function withoutInputs({
  inputs: _,
  contextIn: __,
  reviewFeedback: ___,
  steps: ____,
  ...envelope
}: TaskEnvelope): TaskEnvelope {
  return envelope;
}

/** Findings of the checks before a decision; afterwards they are in the audit record. */
function gateView(checks: readonly GateCheckFinding[]): GateSnapshot {
  return create(GateSnapshotSchema, {
    checks: checks.map(({ name, status, evidence }) => ({
      gateName: name,
      passed: status !== "FAILED",
      evidence,
      status: GateCheckStatus[status],
    })),
  });
}

export function waitView({ plan }: PipelineState, { stage, fromMs, untilMs, wait }: WaitHistory): StageWait {
  return create(StageWaitSchema, {
    stageId: stage === undefined ? "" : (plan.stages[stage]?.id ?? ""),
    from: timestampFromMs(fromMs),
    ...(untilMs !== undefined && { until: timestampFromMs(untilMs) }),
    reason: shortenReason(wait.kind === "paused" ? `paused: ${wait.reason}` : waitText(wait)),
  });
}
