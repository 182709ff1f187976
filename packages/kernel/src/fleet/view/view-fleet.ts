import { type AgentManifest, type DefinitionDigest, DefinitionDigestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { type HealthClass, healthClasses, type ProfileIndex } from "../candidates/profile-index.ts";
import type { Candidate, FleetView, Profile } from "../fleet-view.ts";
import { type Breaker, breakerAt, breakerState } from "../health/breaker.ts";
import { breakerOf, type FleetState, findInstance, type Instance } from "../state/fleet-state.ts";

/** A live view: each call reads the current state. */
export function viewFleet(state: FleetState): FleetView {
  return {
    profiles: (packId, nowMs) => liveProfiles(state, packId, nowMs),
    knowsPack: (packId) => (state.packs.get(packId)?.manifests.size ?? 0) > 0,
    activeOfPack: (packId) => state.packs.get(packId)?.activeDispatches ?? 0,
    breaker: (scope, nowMs) => breakerAt(breakerOf(state, scope), nowMs),
    packIds: () => state.knownPackIds,
    invalidResultsInARow: (packId, instanceId) =>
      findInstance(state, packId, instanceId)?.conduct.consecutiveInvalidResults ?? 0,
    unhealthyReason: (packId) => findUnhealthyReason(state, packId),
    quarantinedInstance: (packId) => findQuarantined(state, packId),
    definitionOf: (packId, instanceId) => definitionOf(state, packId, instanceId),
    keyOf: (packId, instanceId) => findInstance(state, packId, instanceId)?.lastReport?.by || undefined,
  };
}

/** What the instance stated, and the accepted definitions of its tools from elsewhere. */
function definitionOf(state: FleetState, packId: string, instanceId: string): readonly DefinitionDigest[] {
  const stated = findInstance(state, packId, instanceId)?.lastReport?.definition ?? [];
  const pins = state.pins.get(packId);
  if (!pins) return stated;
  const pinned = [...pins.values()].map(({ name, accepted: { digest } }) =>
    create(DefinitionDigestSchema, { part: `tool ${name}`.slice(0, maxPart), digest }),
  );
  return [...stated, ...pinned.slice(0, maxPinned)];
}

const maxPart = 64;
/** As many as a model may be offered. */
const maxPinned = 128;

/** The breaker of a pack for display: half-open while its probe is in flight. */
export function packBreaker(state: FleetState, packId: string, nowMs: number): Breaker["state"] {
  return breakerState(breakerOf(state, { kind: "pack", id: packId }), nowMs);
}

/** Instances visited for an explanation, which names one. */
const maxExplained = 100;

/** The reason that an unhealthy instance of the pack reports. */
function findUnhealthyReason({ packs }: FleetState, packId: string): string {
  const instances = packs.get(packId)?.instances.values().take(maxExplained) ?? [];
  for (const { presence, health, lastReport, isAway } of instances) {
    if (presence === "LIVE" && isAway) return "its connection broke off";
    if (presence === "LIVE" && health !== "HEALTHY" && lastReport?.vitals.reason)
      return lastReport.vitals.reason;
  }
  return "";
}

function findQuarantined({ packs }: FleetState, packId: string): string {
  const instances = packs.get(packId)?.instances.values().take(maxExplained) ?? [];
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
    const view = new ProfileView(profile, groups?.get(profile) ?? noInstances);
    if (view.isLive) live.push(view);
  }
  return live;
}

const noInstances: readonly Instance[] = [];

/** Valid within one decision: it reads the current instances, not those at its creation. */
class ProfileView implements Profile {
  readonly manifest: AgentManifest;
  readonly tools: ReadonlySet<string>;
  readonly #profile: ProfileIndex;
  /** Instances whose lease has run out since the last tick: they are still in the index and do not count. */
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
    const { size } = this.#profile.orders[health];
    if (this.#lapsed.length === 0) return size;
    return size - this.#lapsed.filter((instance) => instance.health === health).length;
  }

  #add(best: Candidate[], health: Candidate["health"], n: number, nowMs: number): void {
    const order = this.#profile.orders[health];
    if (order.size === 0) return;
    const { packId, packVersion } = this.manifest;
    for (const { instanceId, activeTasks, maxTasks, avgLatencyMs } of order.first(n, nowMs))
      best.push({ packId, packVersion, instanceId, health, activeTasks, maxTasks, avgLatencyMs });
  }
}
