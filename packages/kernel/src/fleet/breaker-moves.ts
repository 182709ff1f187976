import {
  type Breaker,
  type BreakerMove,
  closedBreaker,
  type DispatchOutcome,
  settleThrough,
} from "./breaker.ts";
import { type DispatchUnderWay, type FleetState, scopeKey } from "./fleet-state.ts";
import type { BreakerScope } from "./fleet-view.ts";
import type { SettledWorld } from "./input.ts";
import type { RecordOf } from "./record.ts";

/** A dispatch passes two breakers: either being open rejects it (A §3.2 step 1, §3.3). */
export function scopesOf({
  taskType,
  packId,
}: Pick<DispatchUnderWay, "taskType" | "packId">): readonly BreakerScope[] {
  return [
    { kind: "task-type", id: taskType },
    { kind: "pack", id: packId },
  ];
}

export function breakerOf(state: FleetState, scope: BreakerScope): Breaker {
  if (state.breakers.size === 0) return closedBreaker;
  return state.breakers.get(scopeKey(scope))?.breaker ?? closedBreaker;
}

/** The moves that the ends of several dispatches make, one upon the other: many are lost at once with an instance. */
export function settleAll(
  state: FleetState,
  dispatchIds: readonly string[],
  outcome: DispatchOutcome,
  { nowMs, settings }: SettledWorld,
): readonly RecordOf<"breaker-moved">[] {
  const records: RecordOf<"breaker-moved">[] = [];
  if (state.breakers.size === 0 && outcome !== "failed") return records; // Only a failure moves one that is clean.
  const moved = new Map<string, Breaker>();
  for (const dispatchId of dispatchIds) {
    const dispatch = state.dispatches.get(dispatchId);
    if (!dispatch) continue;
    const isExempt = outcome === "failed" && settings.withoutBreaker?.has(dispatch.packId) === true;
    for (const scope of scopesOf(dispatch)) {
      const key = scopeKey(scope);
      const breaker = moved.get(key) ?? breakerOf(state, scope);
      const move = settleThrough(
        breaker,
        dispatchId,
        isExempt ? "withdrawn" : outcome,
        nowMs,
        settings.breaker,
      );
      if (!move) continue;
      moved.set(key, move.breaker);
      records.push(recordMove(scope, move));
    }
  }
  return records;
}

export function recordMove(
  scope: BreakerScope,
  { transition, breaker }: BreakerMove,
): RecordOf<"breaker-moved"> {
  return { kind: "breaker-moved", scope, transition, breaker };
}
