import type { AgentManifest } from "@baton/contract";
import { type Breaker, breakerAt, breakerShown } from "./breaker.ts";
import { breakerOf } from "./breaker-moves.ts";
import { type FleetState, findInstance, type Instance } from "./fleet-state.ts";
import type { Candidate, FleetView, Profile } from "./fleet-view.ts";
import { type HealthClass, healthClasses, type ProfileIndex } from "./profile-index.ts";

/** The fleet as pipelines see it. It shows the state as it is when it is asked. */
export function viewFleet(state: FleetState): FleetView {
  return {
    profiles: (packId, nowMs) => liveProfiles(state, packId, nowMs),
    knowsPack: (packId) => (state.packs.get(packId)?.manifests.size ?? 0) > 0,
    activeOfPack: (packId) => state.packs.get(packId)?.activeDispatches ?? 0,
    breaker: (scope, nowMs) => breakerAt(breakerOf(state, scope), nowMs),
    packIds: () => state.knownPackIds,
    invalidResultsInARow: (packId, instanceId) =>
      findInstance(state, packId, instanceId)?.conduct.consecutiveInvalidResults ?? 0,
    complaint: (packId) => complaintOf(state, packId),
    shutOut: (packId) => shutOutOf(state, packId),
    keyOf: (packId, instanceId) => findInstance(state, packId, instanceId)?.said?.by || undefined,
  };
}

/** The breaker of a pack for those who look: while its probe is under way it is half-open, not open. */
export function packBreaker(state: FleetState, packId: string, nowMs: number): Breaker["state"] {
  return breakerShown(breakerOf(state, { kind: "pack", id: packId }), nowMs);
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

function liveProfiles(state: FleetState, packId: string, nowMs: number): readonly Profile[] {
  const live: Profile[] = [];
  const pack = state.packs.get(packId);
  if (!pack) return live;
  const lapsed = state.leases.lapsed(nowMs);
  const groups = lapsed.length > 0 ? Map.groupBy(lapsed, ({ profile }) => profile) : undefined;
  for (const profile of pack.profiles.values()) {
    const view = new ProfileView(profile, groups?.get(profile) ?? nobody);
    if (view.isLive) live.push(view);
  }
  return live;
}

const nobody: readonly Instance[] = [];

/** To be used within one decision: it shows the instances as they are, not as they were when it was asked for. */
class ProfileView implements Profile {
  readonly manifest: AgentManifest;
  readonly tools: ReadonlySet<string>;
  readonly #profile: ProfileIndex;
  /** Those whose lease has run out since the last tick: they are in the index still, and do not count. */
  readonly #lapsed: readonly Instance[];

  constructor(profile: ProfileIndex, lapsed: readonly Instance[]) {
    this.manifest = profile.manifest;
    this.tools = profile.tools;
    this.#profile = profile;
    this.#lapsed = lapsed;
  }

  best(n: number, nowMs: number): readonly Candidate[] {
    const best: Candidate[] = [];
    this.#add(best, "HEALTHY", n, nowMs);
    this.#add(best, "DEGRADED", n, nowMs);
    return best;
  }

  get counts(): Profile["counts"] {
    return {
      healthy: this.#count("HEALTHY"),
      degraded: this.#count("DEGRADED"),
      unhealthy: this.#count("UNHEALTHY"),
      quarantined: this.#count("QUARANTINED"),
    };
  }

  get isLive(): boolean {
    return healthClasses.some((health) => this.#count(health) > 0);
  }

  #count(health: HealthClass): number {
    const { size } = this.#profile.seats[health];
    if (this.#lapsed.length === 0) return size;
    return size - this.#lapsed.filter((instance) => instance.health === health).length;
  }

  #add(best: Candidate[], health: Candidate["health"], n: number, nowMs: number): void {
    const seats = this.#profile.seats[health];
    if (seats.size === 0) return;
    const { packId, packVersion } = this.manifest;
    for (const { instanceId, activeTasks, maxTasks, avgLatencyMs } of seats.first(n, nowMs))
      best.push({ packId, packVersion, instanceId, health, activeTasks, maxTasks, avgLatencyMs });
  }
}
