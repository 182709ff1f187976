import type { Random } from "../chance/random.ts";

/** How a pipeline is flavoured as a whole, so that some pipelines are plain and others are full of conditions. */
export interface Flavour {
  readonly conditions: number;
  readonly optional: number;
  readonly strictRefs: number;
  readonly ownBudgets: number;
  readonly flags: number;
  readonly oddNames: number;
}

export function drawFlavour(random: Random): Flavour {
  const some = () => random.pick([0, 0, 0.2, 0.5]);
  return {
    conditions: some(),
    optional: random.pick([0, 0, 0.3, 0.8]),
    strictRefs: some(),
    ownBudgets: some(),
    flags: random.pick([0, 0, 0, 0.4]),
    oddNames: random.pick([0, 0, 0, 0.3]),
  };
}
