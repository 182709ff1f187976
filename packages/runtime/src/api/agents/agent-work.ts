import { AgentAttemptOutcome, type AgentWorkSchema } from "@baton/contract";
import type { EndedAttempt, WorkInfo } from "@baton/kernel";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { pipelineOf, stageOf } from "../../ports/stored-command.ts";

const outcomes: Readonly<Record<EndedAttempt["outcome"], AgentAttemptOutcome>> = {
  succeeded: AgentAttemptOutcome.SUCCEEDED,
  failed: AgentAttemptOutcome.FAILED,
  invalid: AgentAttemptOutcome.INVALID,
  lost: AgentAttemptOutcome.LOST,
  cancelled: AgentAttemptOutcome.CANCELLED,
};

/** The contract's view of an instance's work, with up to `recent` attempts. */
export function agentWork(work: WorkInfo, recent: number): MessageInitShape<typeof AgentWorkSchema> {
  const { succeeded, failed, failuresInARow, isFailing, lastFailure, busyShare, windowMs } = work;
  return {
    succeeded,
    failed,
    consecutiveFailures: failuresInARow,
    failing: isFailing,
    ...(lastFailure && { lastFailure: agentAttempt(lastFailure) }),
    recentAttempts: work.attempts.slice(0, recent).map(agentAttempt),
    busyWindow: durationFromMs(windowMs),
    busyShare,
  };
}

function agentAttempt({ dispatchId, taskType, outcome, startedAtMs, endedAtMs, error }: EndedAttempt) {
  return {
    pipelineId: pipelineOf(dispatchId),
    stageId: stageOf(dispatchId),
    dispatchId,
    taskType,
    outcome: outcomes[outcome],
    startedAt: timestampFromMs(startedAtMs),
    endedAt: timestampFromMs(endedAtMs),
    error,
  };
}
