import { count } from "../figures.ts";
import { type FleetRecord, type FleetState, findInstance, type Kernel } from "../kernel.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import type { Sim } from "../sim.ts";
import { checkCapacity, checkFleetAudit, checkFleetRecord } from "./fleet.ts";

/** Looks at what the hub does with the fleet. */
export class FleetWatch {
  private readonly sim: Sim;
  private readonly scenario: FleetScenario;

  constructor(sim: Sim, scenario: FleetScenario) {
    this.sim = sim;
    this.scenario = scenario;
  }

  decided({ records, audit }: ReturnType<Kernel["decideFleet"]>): void {
    checkFleetAudit(records, audit);
  }

  folding(before: FleetState, record: FleetRecord): void {
    checkFleetRecord(before, record, this.sim);
  }

  folded(after: FleetState, record: FleetRecord): void {
    checkCapacity(after, record, this.scenario);
  }

  /** After a restart an instance may be known by its conduct alone, before it is heard of. */
  replaying(before: FleetState, record: FleetRecord): void {
    if (!("instanceId" in record) || findInstance(before, record.packId, record.instanceId)) return;
    count(this.sim.figures.transitions, "lease ABSENT note");
  }
}
