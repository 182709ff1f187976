import { expect, test } from "vitest";
import { failed, passed, skipped } from "../checks/step.ts";
import { addFailure, addSteps, addTally, describeFindings, noFindings, total } from "./summary.ts";

test("the summary reports what ran, what failed and what was skipped, and ends with the counts", () => {
  const findings = noFindings();
  addSteps(findings, [
    { name: "types", outcome: passed, tookMs: 1 },
    { name: "layers", outcome: failed("a.ts imports b.ts"), tookMs: 1 },
    { name: "contract against main", outcome: skipped("there is no branch main"), tookMs: 1 },
  ]);
  addTally(findings, {
    workspaces: new Map([
      ["scripts", { passed: 2, failed: 0, skipped: 0 }],
      ["bench", { passed: 1, failed: 1, skipped: 0 }],
    ]),
    skippedTests: [],
    brokenFiles: ["bench/a.test.ts"],
  });
  addFailure(findings, "vitest ended with code 1");
  expect(describeFindings(findings)).toEqual([
    "",
    "What ran",
    "  check    1 passed, 1 failed, 1 skipped",
    "  bench    1 passed, 1 failed",
    "  scripts  2 passed, 0 failed",
    "  vitest   0 passed, 1 failed",
    "",
    "What failed besides single tests",
    "  check: layers",
    "  bench/a.test.ts could not be loaded",
    "  vitest ended with code 1",
    "",
    "What was skipped, and why",
    "  check: contract against main: there is no branch main",
    "",
    "4 passed, 3 failed, 1 skipped",
  ]);
  expect(total(findings)).toEqual({ passed: 4, failed: 3, skipped: 1 });
});
