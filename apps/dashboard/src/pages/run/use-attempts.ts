import {
  type AttemptSummary,
  type GetAttemptResponse,
  type GetAttemptsResponse,
  type Pipeline,
  PipelineStatus,
} from "@baton/contract/messages";
import { inspection } from "../../hub/client.ts";
import { type Live, useLive } from "../../hub/use-live.ts";

/** A gate may move while no stage does, so there is a look now and then until the run has ended. */
const lookMs = 3_000;
const restMs = 60_000;

export function useAttempts({ pipelineId, status }: Pipeline): Live<GetAttemptsResponse> {
  return useLive(`attempts ${pipelineId}`, (signal) => inspection.getAttempts({ pipelineId }, { signal }), {
    touches: (record) => record.pipelineId === pipelineId,
    everyMs: status > PipelineStatus.PAUSED ? restMs : lookMs,
  });
}

export function useAttempt(
  pipelineId: string,
  summary: AttemptSummary | undefined,
  dispatchId = summary?.dispatchId ?? "",
): Live<GetAttemptResponse> {
  return useLive(`attempt ${dispatchId}`, (signal) => inspection.getAttempt({ dispatchId }, { signal }), {
    touches: (record) => record.pipelineId === pipelineId,
    everyMs: summary?.endedAt ? restMs : lookMs,
    disabled: dispatchId === "",
  });
}
