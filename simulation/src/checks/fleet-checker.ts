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
import { look, type Sim, write } from "../sim.ts";
import { demand } from "../violation.ts";

/** Looks at what the hub does with the fleet. */
export class FleetWatch {
  /** Records that were decided just now. Others come from the store. */
  readonly #decided = new WeakSet<FleetRecord>();
  /** Attempts whose agent is gone, and whose pipeline has not been told. */
  readonly #lost = new Set<string>();
  readonly #sim: Sim;
  readonly #scenario: FleetScenario;
  readonly #kernel: Kernel;

  constructor(sim: Sim, scenario: FleetScenario, kernel: Kernel) {
    this.#sim = sim;
    this.#scenario = scenario;
    this.#kernel = kernel;
  }

  get untold(): ReadonlySet<string> {
    return this.#lost;
  }

  /** A pipeline is told that an attempt is lost. */
  told(dispatchId: string): void {
    this.#lost.delete(dispatchId);
  }

  /** The hub has forgotten all that it knew of the fleet. */
  forget(): void {
    this.#lost.clear();
  }

  decide(...given: Parameters<Kernel["decideFleet"]>): ReturnType<Kernel["decideFleet"]> {
    const decision = this.#kernel.decideFleet(...given);
    for (const record of decision.records) this.#decided.add(record);
    look(this.#sim, () => checkFleetAudit(decision.records, decision.audit));
    return decision;
  }

  evolve(state: FleetState, record: FleetRecord): FleetState {
    if (!this.#decided.has(record)) {
      this.#noteReplayed(state, record);
      return this.#kernel.evolveFleet(state, record);
    }
    if (record.kind !== "heartbeat-taken")
      write(this.#sim, `fleet: ${record.kind} ${"instanceId" in record ? record.instanceId : ""}`);
    if (record.kind === "lease-ended") for (const one of record.lostDispatchIds) this.#lost.add(one);
    look(this.#sim, () => checkFleetRecord(state, record, this.#sim));
    const after = this.#kernel.evolveFleet(state, record);
    look(this.#sim, () => checkCapacity(after, record, this.#scenario));
    return after;
  }

  /** After a restart an instance may be known by its conduct alone, before it is heard of. */
  #noteReplayed(before: FleetState, record: FleetRecord): void {
    if (!("instanceId" in record) || findInstance(before, record.packId, record.instanceId)) return;
    count(this.#sim.figures.transitions, "lease ABSENT note");
  }
}

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
