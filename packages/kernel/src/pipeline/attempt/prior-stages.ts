import { ContextPropagationMode } from "@baton/contract";
import type { PriorStage } from "../../dispatch/context.ts";
import type { PipelineState } from "../state/state.ts";
import { commitOf } from "../state/workspace.ts";

/**
 * The stages whose context is passed on (A §4.3 step 3): none, the dependencies, or all that completed. Nearest first: by
 * the number of dependencies in between, then by the latest completion. Stages of unrelated branches come last.
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

/** The distance to each stage that this one depends on, directly or not. */
function distancesFrom(
  start: number,
  dependsOn: (node: number) => readonly number[],
): ReadonlyMap<number, number> {
  const distances = new Map([[start, 0]]);
  // A map also iterates over entries added during the iteration, so this is breadth-first.
  for (const [node, distance] of distances)
    for (const next of dependsOn(node)) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}
