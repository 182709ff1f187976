import { ContextPropagationMode } from "@baton/contract";
import type { PriorStage } from "../dispatch/context.ts";
import { commitOf } from "./place-of.ts";
import type { PipelineState } from "./state.ts";

/**
 * Stages whose context travels (A §4.3 step 3): none, those that the stage depends on, or all that completed. The nearest
 * comes first: the fewest dependencies away, and of those the one that completed last. A stage of a branch that this one
 * does not depend on is the farthest.
 */
export function priorStages({ plan, stages }: PipelineState, index: number): readonly PriorStage[] {
  const { dependsOn = [], propagation } = plan.stages[index] ?? {};
  const places =
    propagation?.mode === ContextPropagationMode.PREVIOUS
      ? dependsOn
      : propagation?.mode === ContextPropagationMode.CUMULATIVE
        ? [...stages.keys()].filter((place) => place !== index)
        : [];
  if (places.length === 0) return [];
  const distances = distancesFrom(index, (node) => plan.stages[node]?.dependsOn ?? []);
  const completed = places.flatMap((place) => {
    const stage = stages[place];
    if (stage?.status !== "COMPLETED") return [];
    return [{ place, stage, distance: distances.get(place) ?? Number.MAX_SAFE_INTEGER }];
  });
  const nearestFirst = completed.toSorted(
    (a, b) => a.distance - b.distance || b.stage.finishedAtMs - a.stage.finishedAtMs || b.place - a.place,
  );
  return nearestFirst.map(({ place, stage }) => ({
    stageId: plan.stages[place]?.id ?? "",
    result: stage.result,
    commit: commitOf(stage),
  }));
}

/** How many dependencies away each stage is that this one depends on. */
function distancesFrom(
  start: number,
  dependsOn: (node: number) => readonly number[],
): ReadonlyMap<number, number> {
  const distances = new Map([[start, 0]]);
  // A map iterates over what is added meanwhile, so the nearest come first.
  for (const [node, distance] of distances)
    for (const next of dependsOn(node)) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}
