import { AuditEventType } from "@baton/contract";
import { count } from "../figures.ts";
import { breakerTransitions, type FleetRecord, type FleetState, findInstance } from "../kernel.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import type { Sim } from "../sim.ts";
import { demand } from "../violation.ts";

/** Counts the transitions of the fleet's machines, and holds breakers to their table. */
export function checkFleetRecord(state: FleetState, record: FleetRecord, { figures }: Sim): void {
  if (record.kind === "breaker-moved") {
    const { scope, transition, breaker } = record;
    const from = state.breakers.get(`${scope.kind}:${scope.id}`)?.breaker.state ?? "closed";
    const table: Readonly<Record<string, string>> = breakerTransitions[from];
    demand(
      table[transition] === breaker.state,
      "only transitions of the tables happen",
      () => `a breaker that is ${from} has no "${transition}" to ${breaker.state}`,
    );
    count(figures.transitions, `breaker ${from} ${transition}`);
  }
  if (!("instanceId" in record)) return;
  const instance = findInstance(state, record.packId, record.instanceId);
  const presence = instance?.presence ?? "ABSENT";
  if (record.kind === "heartbeat-taken") count(figures.transitions, `lease ${presence} heartbeat`);
  if (record.kind === "lease-ended")
    count(figures.transitions, `lease ${presence} ${record.reason === "expired" ? "expire" : "detach"}`);
  if (record.kind === "instance-forgotten") count(figures.transitions, `lease ${presence} forget`);
  if (record.kind !== "conduct-noted" && record.kind !== "quarantined" && record.kind !== "restored") return;
  if (!instance) count(figures.transitions, "lease ABSENT note");
  const from = instance?.conduct.standing ?? "trusted";
  const { standing, consecutiveInvalidResults } = record.conduct;
  if (record.kind === "quarantined") count(figures.transitions, `standing ${from} quarantine`);
  else if (record.kind === "restored") count(figures.transitions, `standing ${from} restore`);
  else if (
    standing !== from ||
    consecutiveInvalidResults !== (instance?.conduct.consecutiveInvalidResults ?? 0)
  ) {
    count(figures.transitions, `standing ${from} ${standing === "trusted" ? "valid" : "invalid"}`);
  }
}

/** After a dispatch: nobody has more to do than it can, no pack more than the policy allows (A §3.3). */
export function checkCapacity(state: FleetState, record: FleetRecord, { policy }: FleetScenario): void {
  if (record.kind !== "dispatched") return;
  const { packId, instanceId } = record;
  const instance = findInstance(state, packId, instanceId);
  // Of one that has not been heard of since a restart nobody knows yet what it takes.
  const most = instance?.lastReport?.vitals.maxTasks ?? Number.POSITIVE_INFINITY;
  demand(
    (instance?.dispatchIds.size ?? 0) <= most,
    "no agent is given more tasks than it takes",
    () => `${instanceId} has ${instance?.dispatchIds.size} of ${most}`,
  );
  const active = state.packs.get(packId)?.activeDispatches ?? 0;
  const { maxPerPackConcurrent } = policy.admission;
  demand(
    active <= maxPerPackConcurrent,
    "no pack is given more tasks than the policy allows",
    () => `${packId} has ${active} of ${maxPerPackConcurrent}`,
  );
}

export function checkFleetAudit(
  records: readonly FleetRecord[],
  audit: readonly { eventType: AuditEventType }[],
): void {
  const expected = records.filter(
    (record) =>
      record.kind === "quarantined" ||
      (record.kind === "conduct-inherited" && record.conduct.standing === "quarantined"),
  ).length;
  const found = audit.filter(({ eventType }) => eventType === AuditEventType.AGENT_QUARANTINED).length;
  demand(
    found === expected,
    "every decision is audited (A §5.4)",
    () => `${expected} quarantined and ${found} entries`,
  );
}
