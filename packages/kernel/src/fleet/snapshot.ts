import { AgentManifestSchema, encodeJson } from "@baton/contract";
import type { FleetState, Instance } from "./fleet-state.ts";
import { healthClasses } from "./profile-index.ts";

/** The whole state in plain values, sorted by key: equal fleets have equal snapshots, however they came about. */
export function snapshotFleet(state: FleetState): unknown {
  return {
    packs: sorted(
      state.packs,
      ({ manifests, instances, profiles, activeDispatches, disprovedClaims, ...pack }) => ({
        manifests: sorted(manifests, (manifest) => encodeJson(AgentManifestSchema, manifest)),
        instances: sorted(instances, snapshotInstance),
        profiles: sorted(profiles, ({ tools, seats }) => ({
          tools: [...tools].sort(),
          seats: healthClasses.map((health) =>
            seats[health]
              .first(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)
              .map(({ instanceId }) => instanceId),
          ),
        })),
        activeDispatches,
        disprovedClaims,
        quarantined: [...pack.quarantined.keys()].sort(),
        rows: sorted(pack.rows, (row) => row),
      }),
    ),
    dispatches: sorted(state.dispatches, (dispatch) => dispatch),
    breakers: sorted(state.breakers, (breaker) => breaker),
    gone: [...state.gone].map(({ packId, instanceId }) => [packId, instanceId]),
    awaited: [...state.awaited].map(([{ packId, instanceId }, sinceMs]) => [packId, instanceId, sinceMs]),
    instanceCount: state.instanceCount,
    ...(state.halt && { halt: state.halt }),
  };
}

function snapshotInstance(instance: Instance): unknown {
  const { presence, goneAtMs, leaseUntilMs, conduct, key, said, dispatchIds, profile, health } = instance;
  const { activeTasks, maxTasks, avgLatencyMs } = instance;
  return {
    presence,
    goneAtMs,
    leaseUntilMs,
    conduct,
    key,
    said: said && { ...said },
    dispatchIds: [...dispatchIds].sort(),
    place: profile && { profile: profile.key, health, activeTasks, maxTasks, avgLatencyMs },
  };
}

function sorted<Value>(map: ReadonlyMap<string, Value>, plain: (value: Value) => unknown): unknown {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, value]) => [key, plain(value)]);
}
