import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { plainEndpoint } from "./testing/plain-endpoint.ts";

const check = fileURLToPath(new URL("check.ts", import.meta.url));

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { env: { ...process.env, ...env } };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [check, ...args], options)) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

describe("node conformance/sap/check.ts", () => {
  it("[SAP-11] prints a row for each item with what was sent and seen, and ends with the counts and code 0", async () => {
    const { address, close } = await plainEndpoint();
    onTestFinished(() => void close());
    const { code, stdout } = await run(["--address", address], {
      BATON_SAP_KEY: "a",
      BATON_SAP_OTHER_KEY: "b",
    });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      ...["ids-and-times", "required-fields", "context", "evidence"].map((id) => `pass  ${id}`),
      ...["cache-policy", "learning", "correlation", "errors"].map((id) => `pass  ${id}`),
      "8 passed, 0 failed",
    ]);
    expect(lines[0]).toContain("a taskId of the wrong variant: the code INVALID_TASK");
    expect(code).toBe(0);
  });

  it("[SAP-11] ends with code 1 when a row fails", async () => {
    const { address, close } = await plainEndpoint("writes-fractions");
    onTestFinished(() => void close());
    const { code, stdout } = await run(["--address", address]);
    expect([code, stdout.trimEnd().split("\n").at(-1)]).toEqual([1, "7 passed, 1 failed"]);
  });

  it.each<[readonly string[], RegExp]>([
    [[], /^BATON-CHECK-001 {2}--address must be a URL/],
    [["--address", "http://127.0.0.1:1"], /^BATON-CHECK-002 {2}the endpoint cannot be reached/],
    [["--address", "http://127.0.0.1:1", "--patience", "0"], /^BATON-CHECK-001 {2}--patience/],
    [["--pigeon"], /^BATON-CHECK-001 {2}/],
  ])("[SAP-11] ends with code 2 when it cannot run: %j", async (args, reason) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(reason);
  });
});
