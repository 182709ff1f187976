import { expect, it } from "vitest";
import { Figures } from "./figures.ts";
import { describeRun } from "./report.ts";

const run = { seed: 7, kills: 9, tookMs: 1_000, figures: new Figures() };

it("prints each violated invariant with its count, and the command that repeats the run", () => {
  const violations = ["it does not", "nor here"].map((detail) => ({ invariant: "it holds", detail }));
  const text = describeRun({ ...run, violations });
  expect(text).toContain("violations: 2\n  2 × it holds\n    it does not\n    nor here\n");
  expect(text).toContain("npm run chaos -- --kills 9 --seed 7");
});

it("prints what was skipped, and why", () => {
  const figures = new Figures();
  figures.skipped.push("the disk full, because no small disk can be mounted here");
  const text = describeRun({ ...run, figures, violations: [] });
  expect(text).toContain("skipped: the disk full, because");
  expect(text).toContain("violations: 0");
});
