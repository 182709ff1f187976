import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { inTree } from "./tree.ts";

const tenMinutesMs = 10 * 60_000;

test("no test or hook fails because the machine is busy", async () => {
  const { default: config } = await import("../vitest.config.ts");
  expect(config.test?.testTimeout).toBeGreaterThanOrEqual(tenMinutesMs);
  expect(config.test?.hookTimeout).toBeGreaterThanOrEqual(tenMinutesMs);
});

describe("npm test", () => {
  test("of one file runs it, says nothing of its own report, and ends with the counts", () => {
    const { status, output } = runTests("scripts/test-run/tally.test.ts");
    expect(output).toMatch(/✓ scripts\/test-run\/tally\.test\.ts \(3 tests\)/);
    expect(output).not.toContain("report");
    expect(output.split("\n").at(-1)).toMatch(/^3 passed, 0 failed$/);
    expect(status).toBe(0);
  });

  test("of no name that any test has is a failure, and says so", () => {
    const { status, output } = runTests("scripts/test-run/tally.test.ts", "-t", "no such name");
    expect(output).toContain('  no test ran: no name matches "no such name"');
    expect(output).not.toContain("What was skipped");
    expect(output.split("\n").at(-1)).toBe("0 passed, 1 failed, 3 skipped");
    expect(status).toBe(1);
  });
});

function runTests(...args: readonly string[]): { status: number | null; output: string } {
  const env = { ...process.env, CI: "", NO_COLOR: "1", BATON_PROVISION: "look" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [inTree("scripts/test.ts"), ...args], {
    encoding: "utf8",
    env,
  });
  return { status, output: (stderr + stdout).trim() };
}
