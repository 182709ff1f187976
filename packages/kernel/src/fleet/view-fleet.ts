import type { AgentManifest } from "@baton/contract";
import { breakerAt } from "./breaker.ts";
import { breakerOf } from "./breaker-moves.ts";
import { type FleetState, findInstance } from "./fleet-state.ts";
import type { Candidate, FleetView, Profile } from "./fleet-view.ts";
import { type HealthClass, healthClasses, type ProfileIndex } from "./profile-index.ts";

/** The fleet as pipelines see it. It shows the state as it is when it is asked. */
export function viewFleet(state: FleetState): FleetView {
  return {
    profiles: (packId, nowMs) => {
      const count = liveCounter(state, nowMs);
      const live: Profile[] = [];
      for (const profile of state.packs.get(packId)?.profiles.values() ?? []) {
        const isLive = healthClasses.some((health) => count(profile, health) > 0);
        if (isLive) live.push(new ProfileView(profile, count));
      }
      return live;
    },
    knowsPack: (packId) => (state.packs.get(packId)?.manifests.size ?? 0) > 0,
    activeOfPack: (packId) => state.packs.get(packId)?.activeDispatches ?? 0,
    breaker: (scope, nowMs) => breakerAt(breakerOf(state, scope), nowMs),
    packIds: () => [...state.packs].flatMap(([id, { manifests }]) => (manifests.size > 0 ? [id] : [])).sort(),
    invalidResultsInARow: (packId, instanceId) =>
      findInstance(state, packId, instanceId)?.conduct.consecutiveInvalidResults ?? 0,
    complaint: (packId) => complaintOf(state, packId),
    shutOut: (packId) => shutOutOf(state, packId),
    keyOf: (packId, instanceId) => findInstance(state, packId, instanceId)?.said?.by || undefined,
  };
}

/** More than these are not looked at: it is for an explanation, which names one. */
const mostAsked = 100;

/** Why somebody of the pack is not well, in the words of whoever knows; those who are well have nothing to say. */
function complaintOf({ packs }: FleetState, packId: string): string {
  const instances = packs.get(packId)?.instances.values().take(mostAsked) ?? [];
  for (const { presence, health, said } of instances) {
    if (presence === "LIVE" && health !== "HEALTHY" && said?.vitals.reason) return said.vitals.reason;
  }
  return "";
}

function shutOutOf({ packs }: FleetState, packId: string): string {
  const instances = packs.get(packId)?.instances.values().take(mostAsked) ?? [];
  for (const { presence, instanceId, conduct } of instances) {
    if (presence === "LIVE" && conduct.standing === "quarantined") return `${packId}/${instanceId}`;
  }
  return "";
}

/** To be used within one decision: it shows the instances as they are, not as they were when it was asked for. */
class ProfileView implements Profile {
  readonly manifest: AgentManifest;
  readonly tools: ReadonlySet<string>;
  readonly #profile: ProfileIndex;
  readonly #count: LiveCounter;

  constructor(profile: ProfileIndex, count: LiveCounter) {
    this.manifest = profile.manifest;
    this.tools = profile.tools;
    this.#profile = profile;
    this.#count = count;
  }

  best(n: number, nowMs: number): readonly Candidate[] {
    return [...this.#first("HEALTHY", n, nowMs), ...this.#first("DEGRADED", n, nowMs)];
  }

  get counts(): Profile["counts"] {
    const count = (health: HealthClass) => this.#count(this.#profile, health);
    return {
      healthy: count("HEALTHY"),
      degraded: count("DEGRADED"),
      unhealthy: count("UNHEALTHY"),
      quarantined: count("QUARANTINED"),
    };
  }

  #first(health: Candidate["health"], n: number, nowMs: number): readonly Candidate[] {
    const { packId, packVersion } = this.manifest;
    return this.#profile.seats[health]
      .first(n, nowMs)
      .map(({ instanceId, activeTasks, maxTasks, avgLatencyMs }) => ({
        packId,
        packVersion,
        instanceId,
        health,
        activeTasks,
        maxTasks,
        avgLatencyMs,
      }));
  }
}

type LiveCounter = (profile: ProfileIndex, health: HealthClass) => number;

/** Counts those in the index, without those whose lease has run out since the last tick. */
function liveCounter({ leases }: FleetState, nowMs: number): LiveCounter {
  const lapsed = leases.lapsed(nowMs);
  if (lapsed.length === 0) return ({ seats }, health) => seats[health].size;
  const groups = Map.groupBy(lapsed, ({ profile }) => profile);
  return (profile, health) => {
    const gone = groups.get(profile)?.filter((instance) => instance.health === health) ?? [];
    return profile.seats[health].size - gone.length;
  };
}
