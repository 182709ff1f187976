import { type FleetState, findInstance, type Instance, isLive, type Said } from "./fleet-state.ts";
import type { HealthClass } from "./profile-index.ts";
import type { Conduct } from "./standing.ts";

/** One instance as people and services are shown it. */
export interface InstanceInfo {
  readonly packId: string;
  readonly instanceId: string;
  readonly presence: "LIVE" | "GONE";
  /** As dispatch takes it; a gone instance has the one it was last known with. */
  readonly health: HealthClass;
  /** What it last said; none when only its conduct is known, after a restart of the hub. */
  readonly said: Readonly<Said> | undefined;
  readonly leaseUntilMs: number;
  readonly conduct: Conduct;
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
  return {
    packId,
    instanceId,
    presence: isLive(instance, nowMs) ? "LIVE" : "GONE",
    health: conduct.standing === "quarantined" ? "QUARANTINED" : (said?.vitals.health ?? "UNHEALTHY"),
    said: said && { ...said },
    leaseUntilMs,
    conduct,
    activeDispatches: dispatchIds.size,
    packDisprovedClaims: state.packs.get(packId)?.disprovedClaims ?? 0,
  };
}
