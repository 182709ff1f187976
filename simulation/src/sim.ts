import type { Clock } from "./chance/clock.ts";
import type { Faults } from "./chance/faults.ts";
import type { Random } from "./chance/random.ts";
import type { Figures } from "./figures.ts";
import type { Trace } from "./trace.ts";
import { Violation } from "./violation.ts";

/** What every part of one run shares. */
export interface Sim {
  readonly seed: number;
  readonly startMs: number;
  readonly random: Random;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly figures: Figures;
  /** What was found first. The hub would take a throw for one more error to deal with. */
  found: Violation | undefined;
}

/** Looks at something from inside the hub: what is found stops the run, and not the hub. */
export function look(sim: Sim, check: () => void): void {
  try {
    check();
  } catch (error) {
    sim.found ??= asViolation(error);
  }
}

export function asViolation(error: unknown): Violation {
  if (error instanceof Violation) return error;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Violation("the simulation itself does not break", detail);
}

export function write(sim: Sim, line: string): void {
  sim.trace.write(sim.clock.nowMs - sim.startMs, line);
}

/** One tenant has all pipelines and agents: what tenants may see of each other the hub's own tests say. */
export const tenantId = "acme";
