import { AgentManifestSchema, encodeJson } from "@baton/contract";
import { healthClasses } from "../candidates/profile-index.ts";
import type { FleetState, Instance } from "../state/fleet-state.ts";

/** The state as plain values, sorted by key: equal fleets have equal snapshots, whatever their history. */
export function snapshotFleet(state: FleetState): unknown {
  return {
    packs: sorted(
      state.packs,
      ({ manifests, instances, profiles, activeDispatches, disprovedClaims, ...pack }) => ({
        manifests: sorted(manifests, (manifest) => encodeJson(AgentManifestSchema, manifest)),
        instances: sorted(instances, snapshotInstance),
        profiles: sorted(profiles, ({ tools, orders: order }) => ({
          tools: [...tools].sort(),
          order: healthClasses.map((health) =>
            order[health]
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
    attempts: [...state.attempts].map((attempt) => ({ ...attempt })),
    instanceCount: state.instanceCount,
    ...(state.halt && { halt: state.halt }),
    ...(state.raised && { raised: state.raised }),
  };
}

function snapshotInstance(instance: Instance): unknown {
  const { presence, goneAtMs, leaseUntilMs, conduct, key, lastReport, dispatchIds, profile, health } =
    instance;
  const { knownSinceMs, work } = instance;
  const { activeTasks, maxTasks, avgLatencyMs } = instance;
  return {
    presence,
    goneAtMs,
    leaseUntilMs,
    conduct,
    key,
    lastReport: lastReport && { ...lastReport },
    dispatchIds: [...dispatchIds].sort(),
    knownSinceMs,
    work: work && {
      ...work,
      attempts: work.attempts.map((attempt) => ({ ...attempt })),
      lastFailure: work.lastFailure && { ...work.lastFailure },
    },
    ranking: profile && { profile: profile.key, health, activeTasks, maxTasks, avgLatencyMs },
  };
}

function sorted<Value>(map: ReadonlyMap<string, Value>, plain: (value: Value) => unknown): unknown {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, value]) => [key, plain(value)]);
}
