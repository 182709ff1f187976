import type { BreakerScope, FleetView } from "../fleet/fleet-view.ts";

/** A dispatch that was decided a moment ago and that the fleet has not been told of yet. */
export interface FreshDispatch {
  readonly packId: string;
  readonly instanceId: string;
  readonly taskType: string;
}

/**
 * The fleet as it will be once it is told of what this decision has dispatched already: otherwise one decision could
 * give an agent more than it can take, or send two probes through a breaker that lets one pass.
 */
export function overlayFleet(fleet: FleetView, fresh: readonly FreshDispatch[]): FleetView {
  if (fresh.length === 0) return fleet;
  const count = (matches: (dispatch: FreshDispatch) => boolean) => fresh.filter(matches).length;
  return {
    packIds: () => fleet.packIds(),
    knowsPack: (packId) => fleet.knowsPack(packId),
    activeOfPack: (packId) => fleet.activeOfPack(packId) + count((dispatch) => dispatch.packId === packId),
    breaker: (scope, nowMs) => {
      const state = fleet.breaker(scope, nowMs);
      return state === "half-open" && count((dispatch) => isBehind(dispatch, scope)) > 0 ? "open" : state;
    },
    *profiles(packId, nowMs) {
      for (const profile of fleet.profiles(packId, nowMs)) {
        yield {
          manifest: profile.manifest,
          tools: profile.tools,
          counts: profile.counts,
          // As many more as may have become busy: the rank sorts them out.
          best: (n, at) =>
            profile.best(n + fresh.length, at).map((candidate) => ({
              ...candidate,
              activeTasks:
                candidate.activeTasks + count(({ instanceId }) => instanceId === candidate.instanceId),
            })),
        };
      }
    },
  };
}

function isBehind({ packId, taskType }: FreshDispatch, { kind, id }: BreakerScope): boolean {
  return id === (kind === "pack" ? packId : taskType);
}
