import type { AgentManifest, DefinitionDigest } from "@baton/contract";
import { type Amounts, noAmounts } from "../../spend-limits.ts";
import type { Ranked } from "../candidates/candidate-heap.ts";
import type { HealthClass, ProfileIndex } from "../candidates/profile-index.ts";
import type { BreakerScope } from "../fleet-view.ts";
import { type Breaker, closedBreaker } from "../health/breaker.ts";
import { type Conduct, cleanConduct } from "../health/standing.ts";
import type { Vitals } from "../health/vitals.ts";
import { leaseTransitions, type Presence } from "../lease/lease.ts";
import { LeaseCalendar } from "../lease/lease-calendar.ts";
import type { Halt } from "./record.ts";
import type { EndedAttempt, Work } from "./work.ts";

/**
 * The fold of the fleet's records. Only `evolveFleet` changes it, and in place, because a heartbeat must not copy a
 * hundred thousand instances (docs/decisions/0012).
 */
export interface FleetState {
  readonly packs: Map<string, PackState>;
  /** Packs with a manifest, sorted. */
  readonly knownPackIds: string[];
  readonly dispatches: Map<string, ActiveDispatch>;
  /** By `scopeKey`; breakers in their initial state are not listed. */
  readonly breakers: Map<string, { readonly scope: BreakerScope; readonly breaker: Breaker }>;
  /** Leases of live instances. */
  readonly leases: LeaseCalendar<Instance>;
  /** Instances that may be forgotten, longest gone first. */
  readonly gone: Set<Instance>;
  /** Gone instances with recovered work, and since when the hub waits for them. */
  readonly awaited: Map<Instance, number>;
  /** Remembered attempts of all instances, in the order in which they ended. */
  readonly attempts: Set<EndedAttempt>;
  instanceCount: number;
  /** Set while the tenant is stopped; nothing is dispatched meanwhile. */
  halt?: Halt | undefined;
  /** What the tenant may spend on that day beyond its limits. */
  raised?: (Amounts & { readonly day: number }) | undefined;
  /** Definitions of tools from elsewhere, by pack and name. */
  readonly pins: Map<string, Map<string, PinnedTool>>;
  pinCount: number;
}

/** The definition of a tool, as JSON. */
export interface PinnedDefinition {
  readonly digest: string;
  readonly json: string;
}

export interface PinnedTool {
  readonly packId: string;
  readonly name: string;
  readonly accepted: PinnedDefinition;
  /** Who accepted it; empty for the first one. */
  readonly by: string;
  readonly atMs: number;
  /** Waits for a person. */
  readonly changed?: PinnedDefinition;
  readonly changedAtMs?: number;
}

export function pinOf(
  { pins }: Pick<FleetState, "pins">,
  packId: string,
  name: string,
): PinnedTool | undefined {
  return pins.get(packId)?.get(name);
}

export interface PackState {
  /** By pack version. */
  readonly manifests: Map<string, AgentManifest>;
  readonly instances: Map<string, Instance>;
  /** Profiles of live instances, by `profileKey`. */
  readonly profiles: Map<string, ProfileIndex>;
  /** Active dispatches of all its instances. */
  activeDispatches: number;
  /** Results whose claims did not hold, of all its instances, including forgotten ones. */
  disprovedClaims: number;
  /** Instances quarantined for their own results, live or gone, by instance id. */
  readonly quarantined: Map<string, Instance>;
  /** Failures in a row over all instances with one key, by key; absent when the last result was good. */
  readonly rows: Map<string, Row>;
}

/** Failures in a row of the instances with one key. */
export interface Row {
  readonly invalidResults: number;
  readonly disprovedClaims: number;
}

export interface Instance extends Ranked {
  readonly packId: string;
  presence: Presence;
  /** Since when a gone instance is gone. */
  goneAtMs: number;
  conduct: Conduct;
  /** The key of its last heartbeat: empty on a hub without keys, undefined when not known. */
  key: string | undefined;
  /** Its last heartbeat; undefined after a restart, when only its conduct is known. */
  lastReport: InstanceReport | undefined;
  readonly dispatchIds: Set<string>;
  /** Its profile in the index; undefined for a gone instance. */
  profile: ProfileIndex | undefined;
  /** Its stream broke after its last heartbeat. */
  isAway: boolean;
  /** The order of its profile that holds it. */
  health: HealthClass;
  /** When the hub first saw it since it started; undefined before. */
  knownSinceMs: number | undefined;
  /** Undefined until one of its attempts has ended. */
  work: Work | undefined;
}

export interface InstanceReport {
  packVersion: string;
  heartbeatAtMs: number;
  vitals: Vitals;
  /** Reported tasks beyond the dispatches of this hub. */
  otherTasks: number;
  availableTools: readonly string[];
  degradedTools: readonly string[];
  /** Its key; empty when not known. */
  by: string;
  /** Digests of its definition. */
  definition: readonly DefinitionDigest[];
}

export interface ActiveDispatch {
  readonly packId: string;
  readonly instanceId: string;
  readonly taskType: string;
  readonly startedAtMs: number;
}

export function emptyFleet(): FleetState {
  return {
    packs: new Map(),
    knownPackIds: [],
    dispatches: new Map(),
    breakers: new Map(),
    leases: new LeaseCalendar(),
    gone: new Set(),
    awaited: new Map(),
    attempts: new Set(),
    instanceCount: 0,
    pins: new Map(),
    pinCount: 0,
  };
}

function newPack(): PackState {
  return {
    manifests: new Map(),
    instances: new Map(),
    profiles: new Map(),
    activeDispatches: 0,
    disprovedClaims: 0,
    quarantined: new Map(),
    rows: new Map(),
  };
}

function newInstance(packId: string, instanceId: string, atMs: number): Instance {
  return {
    instanceId,
    activeTasks: 0,
    maxTasks: 1,
    avgLatencyMs: 0,
    leaseUntilMs: atMs,
    position: -1,
    packId,
    presence: leaseTransitions.ABSENT.note,
    goneAtMs: atMs,
    conduct: cleanConduct,
    key: undefined,
    lastReport: undefined,
    dispatchIds: new Set(),
    profile: undefined,
    health: "UNHEALTHY",
    knownSinceMs: undefined,
    isAway: false,
    work: undefined,
  };
}

/** Gets or creates the pack. Only for `evolveFleet`. */
export function packOf(state: FleetState, packId: string): PackState {
  let pack = state.packs.get(packId);
  if (!pack) {
    pack = newPack();
    state.packs.set(packId, pack);
  }
  return pack;
}

/** Gets or creates the instance. Only for `evolveFleet`. */
export function instanceOf(
  state: FleetState,
  { packId, instanceId }: { readonly packId: string; readonly instanceId: string },
  atMs: number,
): Instance {
  const { instances } = packOf(state, packId);
  let instance = instances.get(instanceId);
  if (!instance) {
    instance = newInstance(packId, instanceId, atMs);
    instances.set(instanceId, instance);
    state.instanceCount++;
  }
  return instance;
}

export function findInstance(state: FleetState, packId: string, instanceId: string): Instance | undefined {
  return state.packs.get(packId)?.instances.get(instanceId);
}

/** Whether its lease lasts at `nowMs`, even if no tick has recorded its end yet. */
export function isLive({ presence, leaseUntilMs }: Instance, nowMs: number): boolean {
  return presence === "LIVE" && leaseUntilMs > nowMs;
}

export function scopeKey({ kind, id }: BreakerScope): string {
  return `${kind}:${id}`;
}

export function breakerOf(state: FleetState, scope: BreakerScope): Breaker {
  if (state.breakers.size === 0) return closedBreaker;
  return state.breakers.get(scopeKey(scope))?.breaker ?? closedBreaker;
}

export function raisedOn({ raised }: Pick<FleetState, "raised">, day: number): Amounts {
  if (raised?.day !== day) return noAmounts;
  return { tokens: raised.tokens, costMicroUsd: raised.costMicroUsd };
}
