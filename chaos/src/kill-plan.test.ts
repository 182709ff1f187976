import { describe, expect, it } from "vitest";
import { Chance } from "./chance.ts";
import { drawPlans, points } from "./kill-plan.ts";
import { forms } from "./limits.ts";

describe("the kill plan", () => {
  it("[PIP-11] has every point of the engine equally often, and a fifth of the kills at random times", () => {
    const plans = drawPlans(300, forms.long, new Chance(1));
    const times = points.map((point) =>
      plans.filter((plan) => plan.kind === "at a point" && plan.point === point),
    );
    expect(times.map(({ length }) => length)).toEqual(Array(6).fill(40));
    expect(plans.filter(({ kind }) => kind === "at a random time")).toHaveLength(60);
  });

  it("depends only on the seed", () => {
    const drawn = (seed: number) => drawPlans(50, forms.long, new Chance(seed));
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(8)).not.toEqual(drawn(7));
  });

  it("covers every point in the 15 kills of the short form", () => {
    const plans = drawPlans(13, forms.short, new Chance(1));
    const planned = new Set(plans.map((plan) => (plan.kind === "at a point" ? plan.point : "")));
    expect(points.filter((point) => !planned.has(point))).toEqual([]);
  });
});
