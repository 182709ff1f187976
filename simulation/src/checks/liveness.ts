import { count, type Figures } from "../figures.ts";
import type { Hub } from "../hub/hub.ts";
import { planPipeline } from "../kernel.ts";
import type { PipelineScenario } from "../scenario/pipeline.ts";
import { demand } from "../violation.ts";
import { hasEnded } from "./ended.ts";
import { describe } from "./lifecycle.ts";

/** Pipelines that have not come to an end; one that was refused never began. */
export function waiting(hub: Hub, pipelines: readonly PipelineScenario[]): number {
  return pipelines.filter(
    ({ submission: { pipelineId } }) => !hub.refused.has(pipelineId) && !hasEnded(hub.states.get(pipelineId)),
  ).length;
}

/** Liveness: when the faults have stopped and people answer, every pipeline comes to an end. */
export function checkLiveness(hub: Hub, pipelines: readonly PipelineScenario[], figures: Figures): void {
  for (const { submission } of pipelines) {
    const state = hub.states.get(submission.pipelineId);
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
  const [timer] = hub.store.timers.keys();
  demand(timer === undefined, "nothing rings for what has ended", () => `"${timer}" is still set`);
  const [busy] = hub.fleetDesk.state.dispatches.keys();
  demand(busy === undefined, "no agent stays busy with what has ended", () => `${busy} is still under way`);
}
