import { expect, test } from "vitest";
import { describeCounts, readReport, sum } from "./tally.ts";

const report = JSON.stringify({
  testResults: [
    {
      name: "/tree/packages/contract/src/a.test.ts",
      status: "passed",
      assertionResults: [
        { status: "passed", fullName: "reads" },
        { status: "pending", fullName: "needs python" },
        { status: "todo", fullName: "later" },
      ],
    },
    {
      name: "/tree/packages/contract/src/b.test.ts",
      status: "failed",
      assertionResults: [{ status: "failed", fullName: "b" }],
    },
    { name: "/tree/conformance/c.test.ts", status: "failed", assertionResults: [] },
  ],
});

test("tests are counted by workspace", () => {
  const { workspaces, skippedTests } = readReport(report, "/tree");
  expect(workspaces.get("packages/contract")).toEqual({ passed: 1, failed: 1, skipped: 2 });
  expect(skippedTests).toEqual(["packages/contract/src/a.test.ts: 2 tests"]);
});

test("a file that could not be loaded is one failure", () => {
  const { workspaces, brokenFiles } = readReport(report, "/tree");
  expect(workspaces.get("conformance")).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(brokenFiles).toEqual(["conformance/c.test.ts"]);
});

test("the last line names skipped tests only when there are any", () => {
  const { workspaces } = readReport(report, "/tree");
  expect(describeCounts(sum(workspaces.values()))).toBe("1 passed, 2 failed, 2 skipped");
  expect(describeCounts({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
});
