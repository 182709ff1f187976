import { afterRestore, cleanConduct } from "../health/standing.ts";
import { leaseTransitions } from "../lease/lease.ts";
import {
  type FleetState,
  findInstance,
  type Instance,
  type InstanceReport,
  instanceOf,
  type PackState,
  packOf,
} from "./fleet-state.ts";
import { endDispatch } from "./fold-dispatch.ts";
import { isOrigin } from "./inherit-conduct.ts";
import { rank, unrank } from "./ranking.ts";
import type { OfInstance, RecordOf } from "./record.ts";
import { forgetWork } from "./work.ts";

export function takeHeartbeat(state: FleetState, record: RecordOf<"heartbeat-taken">): void {
  const instance = instanceOf(state, record, record.heartbeatAtMs);
  instance.presence = leaseTransitions[instance.presence].heartbeat;
  state.gone.delete(instance);
  state.awaited.delete(instance);
  state.leases.renew(instance, record.leaseUntilMs);
  instance.knownSinceMs ??= record.knownSinceMs;
  instance.key = record.by;
  instance.isAway = false;
  instance.lastReport = updateReport(instance, record);
  rank(packOf(state, record.packId), instance);
  if (!instance.profile) return;
  // Instances of a profile share its lists, to save memory.
  instance.lastReport.availableTools = instance.profile.availableTools;
  instance.lastReport.degradedTools = instance.profile.degradedTools;
}

function updateReport(
  { lastReport: before, dispatchIds }: Instance,
  record: RecordOf<"heartbeat-taken">,
): InstanceReport {
  const { packVersion, heartbeatAtMs, vitals, availableTools, degradedTools, by, definition = [] } = record;
  const otherTasks = Math.max(0, vitals.activeTasks - dispatchIds.size);
  if (!before) {
    const tools = { availableTools, degradedTools };
    return { packVersion, heartbeatAtMs, vitals, otherTasks, ...tools, by, definition };
  }
  before.packVersion = packVersion;
  before.heartbeatAtMs = heartbeatAtMs;
  before.vitals = vitals;
  before.otherTasks = otherTasks;
  before.availableTools = availableTools;
  before.degradedTools = degradedTools;
  before.by = by;
  before.definition = definition;
  return before;
}

export function loseStream(state: FleetState, { packId, instanceId }: OfInstance): void {
  const instance = findInstance(state, packId, instanceId);
  if (!instance) return;
  instance.isAway = true;
  rank(packOf(state, packId), instance);
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
  unrank(packOf(state, packId), instance);
  const error = leaseEndReasons[reason];
  for (const dispatchId of lostDispatchIds) endDispatch(state, dispatchId, { outcome: "lost", error, atMs });
  keepOrAllowForgetting(state, instance);
}

export const leaseEndReasons: Readonly<Record<RecordOf<"lease-ended">["reason"], string>> = {
  expired: "its lease has run out",
  detached: "its connection broke off",
};

export function forgetInstance(state: FleetState, { packId, instanceId }: OfInstance): void {
  const pack = packOf(state, packId);
  const instance = pack.instances.get(instanceId);
  if (!instance) return;
  unrank(pack, instance);
  state.leases.end(instance);
  state.gone.delete(instance);
  state.awaited.delete(instance);
  forgetWork(state, instance);
  pack.instances.delete(instanceId);
  pack.quarantined.delete(instanceId);
  state.instanceCount--;
}

export function setConduct(
  state: FleetState,
  record: RecordOf<"conduct-noted" | "conduct-inherited" | "quarantined" | "restored">,
): void {
  const { packId, instanceId, conduct, atMs } = record;
  const pack = packOf(state, packId);
  const instance = instanceOf(state, record, atMs);
  const wasQuarantined = instance.conduct.standing === "quarantined";
  // Older records lack newer fields of Conduct.
  instance.conduct = { ...cleanConduct, ...conduct };
  if (record.kind !== "conduct-inherited") noteRow(pack, instance, record);
  if (isOrigin(instance.conduct)) pack.quarantined.set(instanceId, instance);
  else pack.quarantined.delete(instanceId);
  if (record.kind === "restored") releaseHeirs(state, instance, atMs);
  if (instance.presence === "LIVE") return rank(pack, instance);
  // Time in quarantine does not count towards being forgotten.
  if (wasQuarantined && conduct.standing !== "quarantined") instance.goneAtMs = atMs;
  keepOrAllowForgetting(state, instance);
}

function noteRow(
  pack: PackState,
  instance: Instance,
  { key, row, disproved = 0 }: RecordOf<"conduct-noted" | "quarantined" | "restored">,
): void {
  pack.disprovedClaims += disproved;
  if (key === undefined || !row) return;
  instance.key = key;
  if (row.invalidResults + row.disprovedClaims > 0) pack.rows.set(key, row);
  else pack.rows.delete(key);
}

/** Restores the instances that inherited the quarantine of a restored one. */
function releaseHeirs(state: FleetState, { packId, instanceId }: Instance, atMs: number): void {
  for (const heir of packOf(state, packId).instances.values()) {
    if (heir.conduct.inheritedFrom !== instanceId) continue;
    const conduct = afterRestore(heir.conduct);
    setConduct(state, { kind: "conduct-inherited", packId, instanceId: heir.instanceId, conduct, atMs });
  }
}

/** A gone instance may be forgotten, unless it is quarantined for its own results (lease.ts I3). */
function keepOrAllowForgetting(state: FleetState, instance: Instance): void {
  if (isOrigin(instance.conduct)) state.gone.delete(instance);
  else state.gone.add(instance);
}
