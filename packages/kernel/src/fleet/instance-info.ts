import { type FleetState, findInstance, type Instance, isLive, type Said } from "./fleet-state.ts";
import type { HealthClass } from "./profile-index.ts";
import type { Conduct } from "./standing.ts";

/** One instance as people and services are shown it. */
export interface InstanceInfo {
  readonly packId: string;
  readonly instanceId: string;
  readonly presence: "LIVE" | "GONE";
  /** Of a gone instance, since when. */
  readonly goneSinceMs: number | undefined;
  /** As dispatch takes it: a gone instance can take nothing, however it was before. */
  readonly health: HealthClass;
  /** What it last said; none when only its conduct is known, after a restart of the hub. */
  readonly said: Readonly<Said> | undefined;
  readonly leaseUntilMs: number;
  readonly conduct: Conduct;
  /** Tasks it does at once: as it reports, within what its manifest allows. */
  readonly maxTasks: number;
  /** Dispatches of the hub under way there. */
  readonly activeDispatches: number;
  /** Results of all instances of its pack whose claims did not hold. */
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

/** All instances that are remembered, in no order that means anything. */
export function* listInstances(state: FleetState, nowMs: number): Iterable<InstanceInfo> {
  for (const { instances } of state.packs.values()) {
    for (const instance of instances.values()) yield describe(state, instance, nowMs);
  }
}

function describe(state: FleetState, instance: Instance, nowMs: number): InstanceInfo {
  const { packId, instanceId, said, leaseUntilMs, conduct, dispatchIds } = instance;
  const isThere = isLive(instance, nowMs);
  return {
    packId,
    instanceId,
    presence: isThere ? "LIVE" : "GONE",
    goneSinceMs: isThere ? undefined : goneSince(instance),
    health: healthOf(instance, isThere),
    said: said && { ...said },
    leaseUntilMs,
    conduct,
    maxTasks: instance.maxTasks,
    activeDispatches: dispatchIds.size,
    packDisprovedClaims: state.packs.get(packId)?.disprovedClaims ?? 0,
  };
}

/** The view of an instance whose stream broke off: its lease may last still, but nobody is there to hold it. */
export function withoutStream(info: InstanceInfo, sinceMs: number): InstanceInfo {
  if (info.presence === "GONE") return info;
  const health = info.health === "QUARANTINED" ? info.health : "UNHEALTHY";
  return { ...info, presence: "GONE", goneSinceMs: sinceMs, health };
}

/** A lease that ran out ended then, and not when a tick came by (lease.ts I1). */
function goneSince({ presence, goneAtMs, leaseUntilMs }: Instance): number {
  return presence === "GONE" ? Math.min(goneAtMs, leaseUntilMs) : leaseUntilMs;
}

function healthOf({ conduct, said }: Instance, isThere: boolean): HealthClass {
  if (conduct.standing === "quarantined") return "QUARANTINED";
  return (isThere && said?.vitals.health) || "UNHEALTHY";
}
