import type {
  AttemptSummary,
  GetAttemptChangesResponse,
  GetAttemptResponse,
  GetAttemptsResponse,
  GetStepsResponse,
  Pipeline,
} from "@baton/contract/messages";
import { inspection } from "../../hub/client.ts";
import { readAttempt } from "../../hub/read-attempt.ts";
import { concernsRun, fallbackMs, type Live, useLive } from "../../hub/use-live.ts";

export function useAttempts({ pipelineId }: Pipeline): Live<GetAttemptsResponse> {
  return useLive(`attempts ${pipelineId}`, (signal) => inspection.getAttempts({ pipelineId }, { signal }), {
    touches: (record) => record.pipelineId === pipelineId,
    changeHints: concernsRun(pipelineId),
    everyMs: fallbackMs,
  });
}

export function useAttempt(
  pipelineId: string,
  summary: AttemptSummary | undefined,
  dispatchId = summary?.dispatchId ?? "",
): Live<GetAttemptResponse> {
  return useLive(`attempt ${dispatchId}`, (signal) => readAttempt(dispatchId, signal), {
    touches: (record) => record.pipelineId === pipelineId,
    changeHints: concernsRun(pipelineId),
    everyMs: fallbackMs,
    disabled: dispatchId === "",
  });
}

/** The first durable steps of an attempt. */
export function useSteps(
  pipelineId: string,
  { dispatchId, stageId, attemptNumber }: AttemptSummary,
): Live<GetStepsResponse> {
  return useLive(
    `steps ${dispatchId}`,
    (signal) => inspection.getSteps({ pipelineId, stageId, attemptNumber }, { signal }),
    {
      touches: (record) => record.dispatchId === dispatchId,
      changeHints: concernsRun(pipelineId),
      everyMs: fallbackMs,
    },
  );
}

/** The changes of an attempt, available once its result has arrived. */
export function useChanges(summary: AttemptSummary | undefined): Live<GetAttemptChangesResponse> {
  const dispatchId = summary?.dispatchId ?? "";
  return useLive(
    `changes ${dispatchId}`,
    (signal) => inspection.getAttemptChanges({ dispatchId }, { signal }),
    { touches: (record) => record.dispatchId === dispatchId, disabled: !summary?.receivedAt },
  );
}
