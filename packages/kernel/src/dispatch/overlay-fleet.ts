import type { BreakerScope, FleetView } from "../fleet/fleet-view.ts";
import { firstPerHealth, rankCandidates } from "./rank.ts";

/** A dispatch of the current decision, which the fleet does not include yet. */
export interface FreshDispatch {
  readonly packId: string;
  readonly instanceId: string;
  readonly taskType: string;
}

/**
 * The fleet with the dispatches of the current decision. Without them one decision could exceed an agent's capacity, or
 * send two probes through a half-open breaker.
 */
export function overlayFleet(fleet: FleetView, fresh: readonly FreshDispatch[]): FleetView {
  if (fresh.length === 0) return fleet;
  const count = (matches: (dispatch: FreshDispatch) => boolean) => fresh.filter(matches).length;
  return {
    packIds: () => fleet.packIds(),
    knowsPack: (packId) => fleet.knowsPack(packId),
    unhealthyReason: (packId) => fleet.unhealthyReason?.(packId) ?? "",
    quarantinedInstance: (packId) => fleet.quarantinedInstance?.(packId) ?? "",
    activeOfPack: (packId) => fleet.activeOfPack(packId) + count((dispatch) => dispatch.packId === packId),
    breaker: (scope, nowMs) => {
      const state = fleet.breaker(scope, nowMs);
      return state === "half-open" && count((dispatch) => isBehind(dispatch, scope)) > 0 ? "open" : state;
    },
    // A decision handles one input, so it has no further results.
    invalidResultsInARow: (packId, instanceId) => fleet.invalidResultsInARow(packId, instanceId),
    keyOf: (packId, instanceId) => fleet.keyOf(packId, instanceId),
    definitionOf: (packId, instanceId) => fleet.definitionOf(packId, instanceId),
    *profiles(packId, nowMs) {
      const given = dispatchesByInstance(fresh, packId);
      for (const profile of fleet.profiles(packId, nowMs)) {
        yield {
          manifest: profile.manifest,
          tools: profile.tools,
          counts: profile.counts,
          best: (n, at) => {
            // Enough to replace those that became busy.
            const busier = profile.best(n + given.size, at).map((candidate) => ({
              ...candidate,
              activeTasks: candidate.activeTasks + (given.get(candidate.instanceId) ?? 0),
            }));
            return firstPerHealth(rankCandidates(busier, undefined), n);
          },
        };
      }
    },
  };
}

/** Per pack, because instance ids may repeat across packs. */
function dispatchesByInstance(fresh: readonly FreshDispatch[], packId: string): ReadonlyMap<string, number> {
  const given = new Map<string, number>();
  for (const dispatch of fresh) {
    if (dispatch.packId !== packId) continue;
    given.set(dispatch.instanceId, (given.get(dispatch.instanceId) ?? 0) + 1);
  }
  return given;
}

function isBehind({ packId, taskType }: FreshDispatch, { kind, id }: BreakerScope): boolean {
  return id === (kind === "pack" ? packId : taskType);
}
