import type { Pipeline, StepRecord } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { optionalAnswer } from "../hub/optional-answer.ts";
import { limits } from "../limits.ts";

export interface RunSteps {
  /** The durable steps of its attempts, without values. */
  readonly steps: readonly StepRecord[];
  readonly hasMoreSteps: boolean;
}

/** The first durable steps of a run. Empty with an older hub. */
export async function readSteps(
  hub: Hub,
  { pipelineId }: Pick<Pipeline, "pipelineId">,
  signal: AbortSignal,
): Promise<RunSteps> {
  const answer = await optionalAnswer(
    hub.inspection.getSteps({ pipelineId, pageSize: limits.steps }, { signal }),
  );
  return { steps: answer?.steps ?? [], hasMoreSteps: (answer?.nextPageToken ?? "") !== "" };
}
