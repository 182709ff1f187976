import { describe, expect, it } from "vitest";
import { Figures } from "../figures.ts";
import { Violations } from "../violations.ts";
import { checkSteps, type SeenStep } from "./steps.ts";

function found(
  ...seen: readonly (readonly [attempt: number, what: SeenStep["what"], idempotent?: boolean])[]
) {
  const violations = new Violations();
  const figures = new Figures();
  const steps = seen.map(([attempt, what, idempotent = false]) => ({
    ...{ work: "w", name: "plan", idempotent, attempt, what },
  }));
  checkSteps({ steps, figures, violations });
  return violations.all.map(({ invariant }) => invariant);
}

describe("durable steps", () => {
  it("[PIP-11] that ran once, and were used again, are as they should be", () => {
    expect(found([1, "ran"], [1, "stored"], [2, "stored"], [3, "stored"])).toEqual([]);
    expect(found([1, "ran", true], [2, "ran", true], [2, "stored", true])).toEqual([]);
  });

  it("[PIP-11] violate: a finished step is not run again, a step that is not idempotent is not repeated", () => {
    expect(found([1, "ran", true], [1, "stored", true], [2, "ran", true])).toEqual([
      "a finished step is not run again",
    ]);
    expect(found([1, "ran"], [2, "ran"], [2, "stored"])).toEqual([
      "a step that is not idempotent is not repeated",
    ]);
  });
});
