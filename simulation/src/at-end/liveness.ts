import type { Watch } from "../checks/checker.ts";
import { hasEnded } from "../checks/decision/ended.ts";
import { describe } from "../checks/decision/lifecycle.ts";
import { count, type Figures } from "../figures.ts";
import type { Lives } from "../hub/hub-supervisor.ts";
import { planPipeline } from "../kernel.ts";
import type { PipelineScenario } from "../scenario/pipeline.ts";
import { demand } from "../violation.ts";

/** Pipelines that have not come to an end; one that was refused never began. */
export function waiting(
  { refused }: Lives,
  { states }: Watch,
  pipelines: readonly PipelineScenario[],
): number {
  return pipelines.filter(
    ({ submission: { pipelineId } }) => !refused.has(pipelineId) && !hasEnded(states.get(pipelineId)),
  ).length;
}

/** Liveness: when the faults have stopped and people answer, every pipeline comes to an end. */
export function checkLiveness(
  { states }: Watch,
  pipelines: readonly PipelineScenario[],
  figures: Figures,
): void {
  for (const { submission } of pipelines) {
    const state = states.get(submission.pipelineId);
    if (!state && !planPipeline(submission.stages, submission.policy).ok) {
      count(figures.ends, "refused");
      continue;
    }
    demand(
      hasEnded(state),
      "every pipeline ends when the faults stop",
      () => `${submission.pipelineId}: ${state ? describe(state) : "never created"}`,
    );
    if (state) count(figures.ends, state.life.status);
  }
}
