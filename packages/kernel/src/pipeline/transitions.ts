import { wayTo } from "./branches-at.ts";
import { evolve } from "./evolve.ts";
import { type Move, movesOf } from "./moves.ts";
import type { PipelineRecord } from "./record.ts";
import type { PipelineState } from "./state.ts";

/** A transition of a stage or of the pipeline, as people name it: by the version that it led to. */
export interface ToldTransition extends Move {
  readonly version: number;
  readonly atMs: number;
  /** A rewind went back behind it, and nobody has returned. */
  readonly abandoned: boolean;
  /** Set where it is a rewind itself. */
  readonly rewind?: { readonly toVersion: number; readonly by: string; readonly reason: string } | undefined;
}

/** All transitions of a pipeline, oldest first, also those that were abandoned. */
export function tellTransitions(records: readonly PipelineRecord[]): readonly ToldTransition[] {
  const holds = new Set(wayTo(records, records.length));
  const told: ToldTransition[] = [];
  let state: PipelineState | undefined;
  for (const [place, record] of records.entries()) {
    const before = state;
    state = evolve(before, record);
    const version = place + 1;
    const rewind = record.type === "restored" ? record : undefined;
    for (const move of movesOf(before, record, state)) {
      told.push({
        ...{ ...move, version, atMs: record.atMs, abandoned: !holds.has(version) },
        ...(rewind && {
          rewind: { toVersion: rewind.toVersion, by: rewind.by, reason: rewind.reason },
        }),
      });
    }
  }
  return told;
}
