import type { Clock } from "./chance/clock.ts";
import type { Faults } from "./chance/faults.ts";
import type { Random } from "./chance/random.ts";
import type { Figures } from "./figures.ts";
import type { Trace } from "./trace.ts";
import { Violation } from "./violation.ts";

/** The state shared by all parts of one run. */
export interface Sim {
  readonly seed: number;
  readonly startMs: number;
  /** Agents work in durable steps. Not in every run: their messages delay what else can happen. */
  readonly withSteps: boolean;
  readonly random: Random;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly trace: Trace;
  readonly figures: Figures;
  /** The first violation. A thrown one would be handled by the hub. */
  found: Violation | undefined;
}

/** Runs a check from inside the hub: a violation stops the run without passing through the hub. */
export function inspect(sim: Sim, check: () => void): void {
  try {
    check();
  } catch (error) {
    sim.found ??= asViolation(error);
  }
}

export function asViolation(error: unknown): Violation {
  if (error instanceof Violation) return error;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new Violation("the simulation itself does not fail", detail);
}

export function log(sim: Sim, line: string): void {
  sim.trace.write(sim.clock.nowMs - sim.startMs, line);
}

/** All pipelines and agents have one tenant; the hub's own tests cover isolation. */
export const tenantId = "acme";
