import { graphLimits } from "../limits.ts";

/**
 * Counts the steps of the current evaluation. The CEL library has no cost limit, so the values it reads (cel-json.ts,
 * cel-answer.ts) and the functions it calls (cel-functions.ts) charge this meter.
 *
 * Module state is safe here: an evaluation is one synchronous call that resets the meter, and evaluations do not nest.
 */
const meter = { left: 0, stepsPerItem: 1 };

/** `weight` is the work of a macro for each element. */
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
