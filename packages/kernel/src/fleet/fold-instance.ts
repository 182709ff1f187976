import { type FleetState, type Instance, instanceOf, packOf, type Said } from "./fleet-state.ts";
import { endDispatch } from "./fold-dispatch.ts";
import { leaseTransitions } from "./lease.ts";
import type { OfInstance, RecordOf } from "./record.ts";
import { reseat, unseat } from "./seating.ts";
import { cleanConduct } from "./standing.ts";

export function takeHeartbeat(state: FleetState, record: RecordOf<"heartbeat-taken">): void {
  const instance = instanceOf(state, record, record.heartbeatAtMs);
  instance.presence = leaseTransitions[instance.presence].heartbeat;
  state.gone.delete(instance);
  state.awaited.delete(instance);
  state.leases.renew(instance, record.leaseUntilMs);
  instance.said = hear(instance, record);
  reseat(packOf(state, record.packId), instance);
  if (!instance.profile) return;
  // A hundred thousand instances share the few lists there are.
  instance.said.availableTools = instance.profile.availableTools;
  instance.said.degradedTools = instance.profile.degradedTools;
}

function hear({ said: before, dispatchIds }: Instance, record: RecordOf<"heartbeat-taken">): Said {
  const { packVersion, heartbeatAtMs, vitals, availableTools, degradedTools, by } = record;
  const otherTasks = Math.max(0, vitals.activeTasks - dispatchIds.size);
  if (!before) return { packVersion, heartbeatAtMs, vitals, otherTasks, availableTools, degradedTools, by };
  before.packVersion = packVersion;
  before.heartbeatAtMs = heartbeatAtMs;
  before.vitals = vitals;
  before.otherTasks = otherTasks;
  before.availableTools = availableTools;
  before.degradedTools = degradedTools;
  before.by = by;
  return before;
}

export function endLease(
  state: FleetState,
  { packId, instanceId, reason, atMs, lostDispatchIds }: RecordOf<"lease-ended">,
): void {
  const instance = instanceOf(state, { packId, instanceId }, atMs);
  instance.presence = leaseTransitions.LIVE[reason === "expired" ? "expire" : "detach"];
  instance.goneAtMs = atMs;
  state.leases.end(instance);
  state.awaited.delete(instance);
  unseat(packOf(state, packId), instance);
  for (const dispatchId of lostDispatchIds) endDispatch(state, dispatchId);
  keepOrLetGo(state, instance);
}

export function forgetInstance(state: FleetState, { packId, instanceId }: OfInstance): void {
  const pack = packOf(state, packId);
  const instance = pack.instances.get(instanceId);
  if (!instance) return;
  unseat(pack, instance);
  state.leases.end(instance);
  state.gone.delete(instance);
  state.awaited.delete(instance);
  pack.instances.delete(instanceId);
  state.instanceCount--;
}

export function setConduct(
  state: FleetState,
  record: RecordOf<"conduct-noted" | "quarantined" | "restored">,
): void {
  const { packId, conduct, atMs } = record;
  const instance = instanceOf(state, record, atMs);
  const wasQuarantined = instance.conduct.standing === "quarantined";
  // A store of before has records without the row.
  instance.conduct = { ...cleanConduct, ...conduct };
  packOf(state, packId).disprovedClaims += record.disproved ?? 0;
  if (instance.presence === "LIVE") {
    reseat(packOf(state, packId), instance);
    return;
  }
  // Time in quarantine does not count towards being forgotten.
  if (wasQuarantined && conduct.standing !== "quarantined") instance.goneAtMs = atMs;
  keepOrLetGo(state, instance);
}

/** A gone instance may be forgotten, unless it is quarantined (lease.ts I3). */
function keepOrLetGo(state: FleetState, instance: Instance): void {
  if (instance.conduct.standing === "quarantined") state.gone.delete(instance);
  else state.gone.add(instance);
}
