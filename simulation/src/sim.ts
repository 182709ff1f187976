import type { Clock } from "./chance/clock.ts";
import type { Faults } from "./chance/faults.ts";
import type { Random } from "./chance/random.ts";
import type { Figures } from "./figures.ts";
import type { Trace } from "./trace.ts";

/** What every part of one run shares. */
export interface Sim {
  readonly seed: number;
  readonly startMs: number;
  readonly random: Random;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly figures: Figures;
}

export function write(sim: Sim, line: string): void {
  sim.trace.write(sim.clock.nowMs - sim.startMs, line);
}
