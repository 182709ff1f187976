import type { Checker } from "../checks/checker.ts";
import { hasEnded } from "../checks/decision/ended.ts";
import { describe } from "../checks/decision/lifecycle.ts";
import { count, type Figures } from "../figures.ts";
import type { HubSupervisor } from "../hub/hub-supervisor.ts";
import { planPipeline } from "../kernel.ts";
import type { PipelineScenario } from "../scenario/pipeline.ts";
import { invariant } from "../violation.ts";

/** Pipelines that have not ended; refused ones never started. */
export function countUnfinished(
  { refused }: HubSupervisor,
  { states }: Checker,
  pipelines: readonly PipelineScenario[],
): number {
  return pipelines.filter(
    ({ submission: { pipelineId } }) => !refused.has(pipelineId) && !hasEnded(states.get(pipelineId)),
  ).length;
}

/** Liveness: after the faults have stopped and people answer, every pipeline ends. */
export function checkLiveness(
  { states }: Checker,
  pipelines: readonly PipelineScenario[],
  figures: Figures,
): void {
  for (const { submission } of pipelines) {
    const state = states.get(submission.pipelineId);
    if (!state && !planPipeline(submission.stages, submission.policy).ok) {
      count(figures.ends, "refused");
      continue;
    }
    invariant(
      hasEnded(state),
      "every pipeline ends after the faults have stopped",
      () => `${submission.pipelineId}: ${state ? describe(state) : "never created"}`,
    );
    if (state) count(figures.ends, state.life.status);
  }
}
