import { count } from "../figures.ts";
import { type FleetRecord, type FleetState, findInstance, type Kernel } from "../kernel.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import { look, type Sim, write } from "../sim.ts";
import { checkCapacity, checkFleetAudit, checkFleetRecord } from "./fleet.ts";

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
