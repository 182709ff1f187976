import type { AgentManifest } from "@baton/contract";
import type { Breaker } from "./breaker.ts";
import type { BreakerScope } from "./fleet-view.ts";
import { leaseTransitions, type Presence } from "./lease.ts";
import { LeaseCalendar } from "./lease-calendar.ts";
import type { HealthClass, ProfileIndex } from "./profile-index.ts";
import type { Halt } from "./record.ts";
import type { Seat } from "./seat.ts";
import { type Conduct, cleanConduct } from "./standing.ts";
import type { Vitals } from "./vitals.ts";

/**
 * The fleet as its records tell it. One structure that `evolveFleet` changes in place, because a heartbeat must not
 * copy a hundred thousand instances; nobody else changes it (docs/decisions/0012).
 */
export interface FleetState {
  readonly packs: Map<string, PackState>;
  /** Of packs with a manifest, sorted. */
  readonly knownPackIds: string[];
  readonly dispatches: Map<string, DispatchUnderWay>;
  /** By `scopeKey`; a breaker that is closed and has seen no failure is not here. */
  readonly breakers: Map<string, { readonly scope: BreakerScope; readonly breaker: Breaker }>;
  /** Of live instances. */
  readonly leases: LeaseCalendar<Instance>;
  /** Instances that may be forgotten, longest gone first. */
  readonly gone: Set<Instance>;
  /** Gone instances that had work when the hub came back, and since when they are waited for. */
  readonly awaited: Map<Instance, number>;
  instanceCount: number;
  /** Set while the tenant is stopped: nothing is dispatched. */
  halt?: Halt | undefined;
}

export interface PackState {
  /** By pack version. */
  readonly manifests: Map<string, AgentManifest>;
  readonly instances: Map<string, Instance>;
  /** Of live instances, by `profileKey`. */
  readonly profiles: Map<string, ProfileIndex>;
  /** Dispatches under way at instances of the pack. */
  activeDispatches: number;
  /** Results of all its instances whose claims did not hold, also of those that are forgotten. */
  disprovedClaims: number;
  /** Quarantined for what they did themselves, live or gone, by instance id. */
  readonly quarantined: Map<string, Instance>;
  /** By key: failures in a row over all its instances, whatever they are called. None where the last result was good. */
  readonly rows: Map<string, Row>;
}

/** Failures in a row of the instances that came with one key. */
export interface Row {
  readonly invalidResults: number;
  readonly disprovedClaims: number;
}

export interface Instance extends Seat {
  readonly packId: string;
  presence: Presence;
  /** Of a gone instance, since when. */
  goneAtMs: number;
  conduct: Conduct;
  /** The key it last came with; empty on a hub without keys. Undefined when that is not known. */
  key: string | undefined;
  /** What it last said; none when only its conduct is known, after a restart of the hub. */
  said: Said | undefined;
  readonly dispatchIds: Set<string>;
  /** Where it stands in the index; a gone instance stands nowhere. */
  profile: ProfileIndex | undefined;
  /** In which order of its profile it stands. */
  health: HealthClass;
}

export interface Said {
  packVersion: string;
  heartbeatAtMs: number;
  vitals: Vitals;
  /** Tasks that it had besides those which the hub knew to be with it. */
  otherTasks: number;
  availableTools: readonly string[];
  degradedTools: readonly string[];
  /** The key that it came with; empty when that is not known. */
  by: string;
}

export interface DispatchUnderWay {
  readonly packId: string;
  readonly instanceId: string;
  readonly taskType: string;
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
    instanceCount: 0,
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

export function newInstance(packId: string, instanceId: string, atMs: number): Instance {
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
    said: undefined,
    dispatchIds: new Set(),
    profile: undefined,
    health: "UNHEALTHY",
  };
}

/** The pack, made when it is not there yet: only for `evolveFleet`. */
export function packOf(state: FleetState, packId: string): PackState {
  let pack = state.packs.get(packId);
  if (!pack) {
    pack = newPack();
    state.packs.set(packId, pack);
  }
  return pack;
}

/** The instance, made when it is not there yet: only for `evolveFleet`. */
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

/** Whether its lease lasts at `nowMs`, whatever has been recorded so far. */
export function isLive({ presence, leaseUntilMs }: Instance, nowMs: number): boolean {
  return presence === "LIVE" && leaseUntilMs > nowMs;
}

export function scopeKey({ kind, id }: BreakerScope): string {
  return `${kind}:${id}`;
}
