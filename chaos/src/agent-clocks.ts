import type { Chance } from "./chance.ts";
import type { Figures } from "./figures.ts";
import { limits } from "./limits.ts";

/** Where the clock of each agent stands that is started: the first ahead, the second behind, then as it comes. */
export function agentClocks(chance: Chance, figures: Figures): () => number {
  const first = [limits.jumpMs, -limits.jumpMs];
  return () => {
    const shiftMs = first.shift() ?? chance.pick([0, limits.jumpMs, -limits.jumpMs]);
    if (shiftMs > 0) figures.fault("an agent's clock an hour ahead");
    if (shiftMs < 0) figures.fault("an agent's clock an hour back");
    return shiftMs;
  };
}
