import { graphLimits } from "./limits.ts";

/**
 * Counts the steps of the evaluation under way. The CEL library has no cost limit, so the values it reads
 * (cel-values.ts) and the functions it calls (cel-functions.ts) count for it.
 *
 * One meter serves all: an evaluation is a single synchronous call that starts the meter anew, and evaluations do not
 * nest. What it counts depends on the arguments of that call alone.
 */
const meter = { left: 0, stepsPerItem: 1 };

/** `weight` is the work that a macro may do for each element it visits. */
export function startMeter(weight: number): void {
  meter.left = graphLimits.conditionSteps;
  meter.stepsPerItem = weight;
}

export function charge(steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) throw new CostExceeded();
}

export function chargeItem(): void {
  charge(meter.stepsPerItem);
}

export function chargeText(text: string): void {
  charge(1 + (text.length >> 6));
}

export class CostExceeded extends Error {
  override readonly name = "CostExceeded";
  constructor() {
    super(`it takes more than ${graphLimits.conditionSteps} steps`);
  }
}
