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
} from "@baton/contract";
import { explainRoute, type GateCheckFinding, inShort, type PipelineState } from "@baton/kernel";
import { isUnchecked } from "@baton/kernel/deciding";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { AttemptTold, WaitTold } from "./attempts.ts";
import { waitText } from "./pipeline-view.ts";

/** Attempts that were accepted as they came, and those of which that cannot be told, by their ids. */
export interface TakenAsTheyCame {
  readonly unchecked: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
}

/** An attempt as the contract shows it in a list. */
export function summaryView(
  { plan }: PipelineState,
  told: AttemptTold,
  { unchecked, unknown }: TakenAsTheyCame,
): AttemptSummary {
  const { stage, dispatch, result, receivedAtMs, reviewAtMs, endedAtMs, ending, reason, setAside } = told;
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
    ...{ reason: inShort(reason), setAside },
    ...(result?.status && { outcome: result.status.outcome }),
    unchecked: ending === "ACCEPTED" && unchecked.has(dispatch.dispatchId),
    checksUnknown: ending === "ACCEPTED" && unknown.has(dispatch.dispatchId),
  });
}

/** What the record says of an attempt, where it says anything. */
export interface Noted {
  readonly gate: GateSnapshot | undefined;
  readonly dispatch: DispatchSnapshot | undefined;
  /** It may say more, in entries that are too old to be looked at. */
  readonly isCut: boolean;
}

/** An attempt whole. */
export function attemptView(state: PipelineState, told: AttemptTold, noted: Noted): GetAttemptResponse {
  const { dispatch, envelope, result, checks, disregarded } = told;
  const gate = noted.gate ?? (checks.length > 0 ? gateView(checks) : undefined);
  const itself = new Set([dispatch.dispatchId]);
  const none = new Set<string>();
  const taken = {
    unchecked: gate && isUnchecked(gate) ? itself : none,
    unknown: !gate && noted.isCut ? itself : none,
  };
  return create(GetAttemptResponseSchema, {
    summary: summaryView(state, told, taken),
    envelope,
    ...(result && { result }),
    ...(gate && { gate }),
    ...(noted.dispatch && { dispatch: noted.dispatch }),
    explanation: explainRoute(dispatch.question.taskType, dispatch.choice),
    disregarded,
  });
}

/** What the checks found while somebody has yet to decide; the record has it once they have. */
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

export function waitView({ plan }: PipelineState, { stage, fromMs, untilMs, wait }: WaitTold): StageWait {
  return create(StageWaitSchema, {
    stageId: stage === undefined ? "" : (plan.stages[stage]?.id ?? ""),
    from: timestampFromMs(fromMs),
    ...(untilMs !== undefined && { until: timestampFromMs(untilMs) }),
    reason: inShort(wait.kind === "paused" ? `paused: ${wait.reason}` : waitText(wait)),
  });
}
