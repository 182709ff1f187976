import { AuditEventType } from "@baton/contract";
import { count } from "../figures.ts";
import {
  breakerTransitions,
  type FleetRecord,
  type FleetState,
  findInstance,
  type Kernel,
} from "../kernel.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import { inspect, log, type Sim } from "../sim.ts";
import { invariant } from "../violation.ts";

/** Checks the decisions about the fleet. */
export class FleetChecker {
  /** Records decided in this run. Others are replayed from the store. */
  readonly #decided = new WeakSet<FleetRecord>();
  /** Attempts of lost agents that their pipeline does not know of yet. */
  readonly #lost = new Set<string>();
  readonly #sim: Sim;
  readonly #scenario: FleetScenario;
  readonly #kernel: Kernel;

  constructor(sim: Sim, scenario: FleetScenario, kernel: Kernel) {
    this.#sim = sim;
    this.#scenario = scenario;
    this.#kernel = kernel;
  }

  get unreportedLosses(): ReadonlySet<string> {
    return this.#lost;
  }

  lossReported(dispatchId: string): void {
    this.#lost.delete(dispatchId);
  }

  forget(): void {
    this.#lost.clear();
  }

  decide(...given: Parameters<Kernel["decideFleet"]>): ReturnType<Kernel["decideFleet"]> {
    const decision = this.#kernel.decideFleet(...given);
    for (const record of decision.records) this.#decided.add(record);
    inspect(this.#sim, () => checkFleetAudit(decision.records, decision.audit));
    return decision;
  }

  evolve(state: FleetState, record: FleetRecord): FleetState {
    if (!this.#decided.has(record)) {
      this.#noteReplayed(state, record);
      return this.#kernel.evolveFleet(state, record);
    }
    if (record.kind !== "heartbeat-taken")
      log(this.#sim, `fleet: ${record.kind} ${"instanceId" in record ? record.instanceId : ""}`);
    if (record.kind === "lease-ended") for (const one of record.lostDispatchIds) this.#lost.add(one);
    inspect(this.#sim, () => checkFleetRecord(state, record, this.#sim));
    const after = this.#kernel.evolveFleet(state, record);
    inspect(this.#sim, () => checkCapacity(after, record, this.#scenario));
    return after;
  }

  /** After a restart an instance may be known by its conduct before its first heartbeat. */
  #noteReplayed(before: FleetState, record: FleetRecord): void {
    if (!("instanceId" in record) || findInstance(before, record.packId, record.instanceId)) return;
    count(this.#sim.figures.transitions, "lease ABSENT note");
  }
}

/** Counts the transitions of the fleet's machines, and checks breakers against their table. */
export function checkFleetRecord(state: FleetState, record: FleetRecord, { figures }: Sim): void {
  if (record.kind === "breaker-moved") {
    const { scope, transition, breaker } = record;
    const from = state.breakers.get(`${scope.kind}:${scope.id}`)?.breaker.state ?? "closed";
    const table: Readonly<Record<string, string>> = breakerTransitions[from];
    invariant(
      table[transition] === breaker.state,
      "only transitions of the tables happen",
      () => `breaker: ${from} has no "${transition}" to ${breaker.state}`,
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

/** After a dispatch no agent exceeds its capacity, and no pack the limit of the policy (A §3.3). */
export function checkCapacity(state: FleetState, record: FleetRecord, { policy }: FleetScenario): void {
  if (record.kind !== "dispatched") return;
  const { packId, instanceId } = record;
  const instance = findInstance(state, packId, instanceId);
  // After a restart the capacity is unknown until the first heartbeat.
  const most = instance?.lastReport?.vitals.maxTasks ?? Number.POSITIVE_INFINITY;
  invariant(
    (instance?.dispatchIds.size ?? 0) <= most,
    "no agent exceeds its capacity",
    () => `${instanceId} has ${instance?.dispatchIds.size} of ${most}`,
  );
  const active = state.packs.get(packId)?.activeDispatches ?? 0;
  const { maxPerPackConcurrent } = policy.admission;
  invariant(
    active <= maxPerPackConcurrent,
    "no pack exceeds the limit of the policy",
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
  invariant(
    found === expected,
    "every decision is audited (A §5.4)",
    () => `${expected} quarantined and ${found} entries`,
  );
}
