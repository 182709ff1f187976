import { expect, it } from "vitest";
import { Figures } from "./figures.ts";
import { describeRun } from "./report.ts";

const run = { seed: 7, kills: 9, tookMs: 1_000, figures: new Figures() };

it("names what does not hold, how often, and the command to see it again", () => {
  const violations = ["it does not", "nor here"].map((detail) => ({ invariant: "it holds", detail }));
  const told = describeRun({ ...run, violations });
  expect(told).toContain("violations: 2\n  2 × it holds\n    it does not\n    nor here\n");
  expect(told).toContain("npm run chaos -- --kills 9 --seed 7");
});

it("says what was left out, and why", () => {
  const figures = new Figures();
  figures.skipped.push("the disk full, because no small disk can be mounted here");
  const told = describeRun({ ...run, figures, violations: [] });
  expect(told).toContain("skipped: the disk full, because");
  expect(told).toContain("violations: 0");
});
