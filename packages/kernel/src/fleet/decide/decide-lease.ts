import { type FleetState, findInstance, type Instance, isLive } from "../state/fleet-state.ts";
import type { FleetRecord, LeaseEnded, RecordOf } from "../state/record.ts";
import { settleAll } from "./breaker-moves.ts";
import { type FleetDecision, nothing, record } from "./decision.ts";
import type { FullFleetWorld, InputOf } from "./input.ts";

/** Ends leases that ran out, in that order, and forgets instances that have been gone for long (DIS-03). */
export function decideTick(state: FleetState, world: FullFleetWorld): FleetDecision {
  const lapsed = state.leases.lapsed(world.nowMs).toSorted(byEndOfLease);
  const ended = endLeases(state, [...lapsed, ...neverReturned(state, world)], world);
  const forgotten = longGone(state, world);
  return record([...ended, ...forgotten]);
}

/** After a restart, an instance with recovered work has one lease to send a heartbeat; then that work is lost. */
function neverReturned(state: FleetState, { nowMs, settings }: FullFleetWorld): readonly Instance[] {
  const lost: Instance[] = [];
  for (const [instance, sinceMs] of state.awaited) {
    if (nowMs - sinceMs >= settings.leaseTtlMs.default) lost.push(instance);
  }
  return lost.sort(byEndOfLease);
}

/** Its active dispatches may still end well when it returns, so only new ones are refused. */
export function decideStreamLost(
  state: FleetState,
  { packId, instanceId }: InputOf<"stream-lost">,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  if (instance?.presence !== "LIVE" || instance.isAway) return nothing;
  return record([{ kind: "stream-lost", packId, instanceId }]);
}

/** A stream that stays broken ends the lease: it is the fastest sign that an agent is gone (A §3.2 step 6). */
export function decideDetach(
  state: FleetState,
  { packId, instanceId, sinceMs }: InputOf<"detach">,
  world: FullFleetWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  return instance?.presence === "LIVE" ? record(endLeases(state, [instance], world, sinceMs)) : nothing;
}

/** Ends leases: the active dispatches are lost, and count as failures for the breakers. */
export function endLeases(
  state: FleetState,
  instances: readonly Instance[],
  world: FullFleetWorld,
  atMs = world.nowMs,
): readonly FleetRecord[] {
  const ended = instances.map((instance): LeaseEnded => {
    const { packId, instanceId, dispatchIds } = instance;
    const reason = isLive(instance, world.nowMs) ? "detached" : "expired";
    const lostDispatchIds = [...dispatchIds].sort();
    return { kind: "lease-ended", packId, instanceId, reason, atMs, lostDispatchIds };
  });
  const lost = ended.flatMap(({ lostDispatchIds }) => lostDispatchIds);
  return [...ended, ...settleAll(state, lost, "failed", world)];
}

export function forget({ packId, instanceId }: Instance): RecordOf<"instance-forgotten"> {
  return { kind: "instance-forgotten", packId, instanceId };
}

function byEndOfLease(a: Instance, b: Instance): number {
  return (
    a.leaseUntilMs - b.leaseUntilMs ||
    compareText(a.packId, b.packId) ||
    compareText(a.instanceId, b.instanceId)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function longGone(state: FleetState, { nowMs, settings }: FullFleetWorld): readonly FleetRecord[] {
  const records: FleetRecord[] = [];
  for (const instance of state.gone) {
    if (nowMs - instance.goneAtMs < settings.forgetAfterMs) break; // Longest gone first.
    records.push(forget(instance));
  }
  return records;
}
