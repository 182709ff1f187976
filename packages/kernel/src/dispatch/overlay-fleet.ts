import type { BreakerScope, FleetView } from "../fleet/fleet-view.ts";
import { firstPerHealth, rankCandidates } from "./rank.ts";

/** A dispatch of the decision being made, which the fleet does not know yet. */
export interface FreshDispatch {
  readonly packId: string;
  readonly instanceId: string;
  readonly taskType: string;
}

/**
 * The fleet with the dispatches of this decision applied. Without them one decision could
 * give an agent more than it can take, or send two probes through a breaker that lets one pass.
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
    // A decision takes one input, so it knows of no result that the fleet does not.
    invalidResultsInARow: (packId, instanceId) => fleet.invalidResultsInARow(packId, instanceId),
    keyOf: (packId, instanceId) => fleet.keyOf(packId, instanceId),
    *profiles(packId, nowMs) {
      const given = dispatchesByInstance(fresh, packId);
      for (const profile of fleet.profiles(packId, nowMs)) {
        yield {
          manifest: profile.manifest,
          tools: profile.tools,
          counts: profile.counts,
          best: (n, at) => {
            // As many more as may have become busy and fallen behind.
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

/** Only of the pack: another one may call its instances the same. */
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
