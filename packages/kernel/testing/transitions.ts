import { evolve } from "../src/pipeline/records/evolve.ts";
import type { PipelineRecord } from "../src/pipeline/records/record.ts";
import type { PipelineState } from "../src/pipeline/state/state.ts";

/** The transitions of records, as "FROM → TO", of stages and of the pipeline. */
export function movesOf(records: readonly PipelineRecord[]): { stages: Set<string>; pipeline: Set<string> } {
  const moves = { stages: new Set<string>(), pipeline: new Set<string>() };
  let state: PipelineState | undefined;
  for (const record of records) {
    const before = state;
    state = evolve(state, record);
    // Rewinds and reruns are jumps, not transitions.
    if (before === undefined || record.type === "restored" || record.type === "taken-over") continue;
    if (before.life !== state.life) moves.pipeline.add(`${before.life.status} → ${state.life.status}`);
    for (const [index, stage] of state.stages.entries()) {
      const from = before.stages[index];
      const again = record.type === "retried" && record.stage === index;
      if (from && (from.status !== stage.status || again))
        moves.stages.add(`${from.status} → ${stage.status}`);
    }
  }
  return moves;
}

/** The transitions of a table, as "FROM → TO". */
export function arrowsOf(table: Readonly<Record<string, Readonly<Record<string, string>>>>): Set<string> {
  return new Set(
    Object.entries(table).flatMap(([from, events]) => Object.values(events).map((to) => `${from} → ${to}`)),
  );
}
