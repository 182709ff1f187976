import { settleAll } from "./breaker-moves.ts";
import { type FleetDecision, nothing, record } from "./decision.ts";
import { type FleetState, findInstance, type Instance, isLive } from "./fleet-state.ts";
import type { InputOf, SettledWorld } from "./input.ts";
import type { FleetRecord, LeaseEnded, RecordOf } from "./record.ts";

/** Ends the leases that ran out, in the order they did, and forgets instances that have long been gone (DIS-03). */
export function decideTick(state: FleetState, world: SettledWorld): FleetDecision {
  const lapsed = state.leases.lapsed(world.nowMs).toSorted(byEndOfLease);
  const ended = endLeases(state, [...lapsed, ...neverHeard(state, world)], world);
  const forgotten = longGone(state, world);
  return record([...ended, ...forgotten]);
}

/** Whoever had work when the hub came back has one lease's time to be heard of; then that work is lost. */
function neverHeard(state: FleetState, { nowMs, settings }: SettledWorld): readonly Instance[] {
  const lost: Instance[] = [];
  for (const [instance, sinceMs] of state.awaited) {
    if (nowMs - sinceMs >= settings.leaseTtlMs.default) lost.push(instance);
  }
  return lost.sort(byEndOfLease);
}

/** A lost stream is the fastest sign that an agent is gone (A §3.2 step 6). */
export function decideDetach(
  state: FleetState,
  { packId, instanceId, sinceMs }: InputOf<"detach">,
  world: SettledWorld,
): FleetDecision {
  const instance = findInstance(state, packId, instanceId);
  return instance?.presence === "LIVE" ? record(endLeases(state, [instance], world, sinceMs)) : nothing;
}

/** What the end of leases means: the dispatches under way are lost, and count as failed for the breakers. */
export function endLeases(
  state: FleetState,
  instances: readonly Instance[],
  world: SettledWorld,
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

function longGone(state: FleetState, { nowMs, settings }: SettledWorld): readonly FleetRecord[] {
  const records: FleetRecord[] = [];
  for (const instance of state.gone) {
    if (nowMs - instance.goneAtMs < settings.forgetAfterMs) break; // Longest gone first.
    records.push(forget(instance));
  }
  return records;
}
