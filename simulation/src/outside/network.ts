import { log, type Sim } from "../sim.ts";

/** Delivers messages late, twice, out of order, or not at all. */
export class Network {
  private readonly sim: Sim;

  constructor(sim: Sim) {
    this.sim = sim;
  }

  carry(what: string, deliver: () => void): void {
    const { sim } = this;
    if (sim.faults.strikes("message dropped")) {
      log(sim, `network: dropped ${what}`);
      return;
    }
    sim.clock.after(this.delayMs(), deliver);
    if (sim.faults.strikes("message duplicated")) sim.clock.after(this.delayMs(), deliver);
  }

  /** A delayed message is overtaken by later ones. */
  delayMs(): number {
    const { random, faults } = this.sim;
    return faults.strikes("message delayed") ? random.int(500, 20_000) : random.int(1, 60);
  }
}
