import { ContextPropagationMode } from "@baton/contract";
import type { PriorStage } from "../../dispatch/context.ts";
import type { PipelineState } from "../state/state.ts";
import { commitOf } from "../state/workspace.ts";

/**
 * Stages whose context travels (A §4.3 step 3): none, those that the stage depends on, or all that completed. The nearest
 * comes first: the fewest dependencies away, and of those the one that completed last. A stage of a branch that this one
 * does not depend on is the farthest.
 */
export function priorStages({ plan, stages }: PipelineState, index: number): readonly PriorStage[] {
  const { dependsOn = [], propagation } = plan.stages[index] ?? {};
  const positions =
    propagation?.mode === ContextPropagationMode.PREVIOUS
      ? dependsOn
      : propagation?.mode === ContextPropagationMode.CUMULATIVE
        ? [...stages.keys()].filter((position) => position !== index)
        : [];
  if (positions.length === 0) return [];
  const distances = distancesFrom(index, (node) => plan.stages[node]?.dependsOn ?? []);
  const completed = positions.flatMap((position) => {
    const stage = stages[position];
    if (stage?.status !== "COMPLETED") return [];
    return [{ position, stage, distance: distances.get(position) ?? Number.MAX_SAFE_INTEGER }];
  });
  const nearestFirst = completed.toSorted(
    (a, b) =>
      a.distance - b.distance || b.stage.finishedAtMs - a.stage.finishedAtMs || b.position - a.position,
  );
  return nearestFirst.map(({ position, stage }) => ({
    stageId: plan.stages[position]?.id ?? "",
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
