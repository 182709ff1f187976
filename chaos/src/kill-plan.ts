import type { Point } from "@baton/runtime";
import type { Chance } from "./chance.ts";
import { type Form, limits } from "./limits.ts";

/** How a hub process ends. */
export type KillPlan =
  | {
      readonly kind: "at a point";
      readonly point: Point;
      /** The pass at which the hub dies. */
      readonly at: number;
      /** Armed at the start, which includes recovery; otherwise after a while. */
      readonly fromStart: boolean;
      readonly afterMs: number;
    }
  | { readonly kind: "at a random time"; readonly afterMs: number };

/** Every point equally often, and a fifth of the kills at random times, shuffled. */
export function drawPlans(kills: number, form: Form, chance: Chance): readonly KillPlan[] {
  const atRandom = Math.max(1, Math.floor(kills / 5));
  const plans = Array.from({ length: kills }, (_, place): KillPlan => {
    const afterMs = chance.int(0, form.randomKillMs);
    if (place < atRandom) return { kind: "at a random time", afterMs };
    const point = points[(place - atRandom) % points.length] ?? "committed";
    const fromStart = chance.next() < 0.35;
    return {
      kind: "at a point",
      point,
      at: chance.int(1, chance.next() < 0.5 ? 3 : limits.passes),
      fromStart,
      afterMs: fromStart ? 0 : chance.int(0, form.armMs),
    };
  });
  for (let place = plans.length - 1; place > 0; place--) {
    const other = chance.int(0, place);
    const [one, two] = [plans[place], plans[other]];
    if (one && two) [plans[place], plans[other]] = [two, one];
  }
  return plans;
}

/** Every point of the engine; a missing one does not compile. */
export const noKills: Readonly<Record<Point, number>> = {
  decided: 0,
  "before commit": 0,
  committed: 0,
  answered: 0,
  "before command": 0,
  "after command": 0,
};

export const points: readonly Point[] = Object.keys(noKills).filter(isPoint);

function isPoint(name: string): name is Point {
  return Object.hasOwn(noKills, name);
}
