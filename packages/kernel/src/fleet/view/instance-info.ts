import type { HealthClass } from "../candidates/profile-index.ts";
import type { Conduct } from "../health/standing.ts";
import {
  type FleetState,
  findInstance,
  type Instance,
  type InstanceReport,
  isLive,
} from "../state/fleet-state.ts";
import { type WorkInfo, workOf } from "../state/work.ts";

/** One instance as the API lists it. */
export interface InstanceInfo {
  readonly packId: string;
  readonly instanceId: string;
  readonly presence: "LIVE" | "GONE";
  /** Of a gone instance, since when. */
  readonly goneSinceMs: number | undefined;
  /** The health for dispatch: UNHEALTHY for every gone instance that is not quarantined. */
  readonly health: HealthClass;
  /** Its last heartbeat; undefined after a restart, when only its conduct is known. */
  readonly lastReport: Readonly<InstanceReport> | undefined;
  readonly leaseUntilMs: number;
  readonly conduct: Conduct;
  /** Reported concurrency, within what its manifest allows. */
  readonly maxTasks: number;
  /** Active dispatches of this hub. */
  readonly activeDispatches: number;
  /** Results whose claims did not hold, of all instances of its pack. */
  readonly packDisprovedClaims: number;
}

export function instanceInfo(
  state: FleetState,
  packId: string,
  instanceId: string,
  nowMs: number,
): InstanceInfo | undefined {
  const instance = findInstance(state, packId, instanceId);
  return instance && describe(state, instance, nowMs);
}

/** Recent work of an instance; undefined when it has had none since the hub started. */
export function instanceWork(
  state: FleetState,
  packId: string,
  instanceId: string,
  nowMs: number,
): WorkInfo | undefined {
  const instance = findInstance(state, packId, instanceId);
  return instance && workOf(state, instance, nowMs);
}

/** All remembered instances, unordered. */
export function* listInstances(state: FleetState, nowMs: number): Iterable<InstanceInfo> {
  for (const { instances } of state.packs.values()) {
    for (const instance of instances.values()) yield describe(state, instance, nowMs);
  }
}

function describe(state: FleetState, instance: Instance, nowMs: number): InstanceInfo {
  const { packId, instanceId, lastReport, leaseUntilMs, conduct, dispatchIds } = instance;
  const isLiveNow = isLive(instance, nowMs);
  return {
    packId,
    instanceId,
    presence: isLiveNow ? "LIVE" : "GONE",
    goneSinceMs: isLiveNow ? undefined : goneSince(instance),
    health: healthOf(instance, isLiveNow),
    lastReport: lastReport && { ...lastReport },
    leaseUntilMs,
    conduct,
    maxTasks: instance.maxTasks,
    activeDispatches: dispatchIds.size,
    packDisprovedClaims: state.packs.get(packId)?.disprovedClaims ?? 0,
  };
}

/** An instance whose stream broke: its lease may still last, but the agent is gone. */
export function withoutStream(info: InstanceInfo, sinceMs: number): InstanceInfo {
  if (info.presence === "GONE") return info;
  const health = info.health === "QUARANTINED" ? info.health : "UNHEALTHY";
  return { ...info, presence: "GONE", goneSinceMs: sinceMs, health };
}

/** A lease ends when it runs out, not when a tick records it (lease.ts I1). */
function goneSince({ presence, goneAtMs, leaseUntilMs }: Instance): number {
  return presence === "GONE" ? Math.min(goneAtMs, leaseUntilMs) : leaseUntilMs;
}

function healthOf({ conduct, lastReport }: Instance, isLiveNow: boolean): HealthClass {
  if (conduct.standing === "quarantined") return "QUARANTINED";
  return (isLiveNow && lastReport?.vitals.health) || "UNHEALTHY";
}
