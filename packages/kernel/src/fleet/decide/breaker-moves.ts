import type { BreakerScope } from "../fleet-view.ts";
import { type Breaker, type BreakerMove, type DispatchOutcome, settleThrough } from "../health/breaker.ts";
import { type ActiveDispatch, breakerOf, type FleetState, scopeKey } from "../state/fleet-state.ts";
import type { RecordOf } from "../state/record.ts";
import type { FullFleetWorld } from "./input.ts";

/** Two breakers guard a dispatch; it is rejected if either is open (A §3.2 step 1, §3.3). */
export function scopesOf({
  taskType,
  packId,
}: Pick<ActiveDispatch, "taskType" | "packId">): readonly BreakerScope[] {
  return [
    { kind: "task-type", id: taskType },
    { kind: "pack", id: packId },
  ];
}

/** The breaker moves caused by several dispatches that end together, applied in order: a lost instance loses all its dispatches. */
export function settleAll(
  state: FleetState,
  dispatchIds: readonly string[],
  outcome: DispatchOutcome,
  { nowMs, settings }: FullFleetWorld,
): readonly RecordOf<"breaker-moved">[] {
  const records: RecordOf<"breaker-moved">[] = [];
  if (state.breakers.size === 0 && outcome !== "failed") return records; // Only a failure moves a clean breaker.
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
