import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, it } from "vitest";

const check = fileURLToPath(new URL("check.ts", import.meta.url));
const sdkAgent = fileURLToPath(new URL("testing/sdk-agent.ts", import.meta.url));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const options = { env: { ...process.env, ...env } };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [check, ...args], options)) };
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error && "stdout" in error && "stderr" in error))
      throw error;
    return { code: Number(error.code), stdout: String(error.stdout), stderr: String(error.stderr) };
  }
}

describe.concurrent("node conformance/agent/check.ts", () => {
  it("[TRN-01] starts an agent, prints one line per case, and ends with the counts and code 0", async ({
    expect,
  }) => {
    const command = ["--transport", "grpc", "--", process.execPath, sdkAgent, "grpc"];
    const { code, stdout } = await run(command, { BATON_AGENT_TOKEN: "only for this test" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("pass  arrival: comes, and can be given work");
    expect(lines).toContain("pass  token: refuses a call that does not show its token");
    expect(lines.at(-1)).toBe("27 passed, 0 failed");
    expect(lines).toHaveLength(28);
    expect(code).toBe(0);
  });

  it("[TRN-01] ends with code 1 when a case fails, and says what was expected and seen", async ({
    expect,
  }) => {
    // It shows a token that the suite does not know, so no call is taken.
    const env = 'process.env.BATON_AGENT_TOKEN = "another";';
    const script = `${env} process.argv[2] = "http-json"; await import(${JSON.stringify(sdkAgent)});`;
    const agent = ["--input-type=module", "-e", script, "x"];
    const { code, stdout } = await run(["--transport", "http-json", "--", process.execPath, ...agent]);
    expect(stdout).toContain(
      "fail  answer: answers a task under its ids and its trace; expected OUTCOME_SUCCESS; saw refused: status 401\n",
    );
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^\d+ passed, \d+ failed, \d+ skipped$/);
    expect(code).toBe(1);
  });

  it("ends with code 2 when the agent does not start, and says why", async ({ expect }) => {
    const { code, stdout, stderr } = await run(["--transport", "attached", "--", "./no-such-agent"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^BATON-CHECK-002 {2}the program after -- does not start: .*no-such-agent/);
  });

  it("ends with code 2 when it cannot run, and says how it is run", async ({ expect }) => {
    const { code, stdout, stderr } = await run(["--transport", "pigeon"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^BATON-CHECK-001 {2}--transport must be attached, grpc or http-json, and not pigeon\n/,
    );
    expect(stderr).toContain("usage: node conformance/agent/check.ts");
  });
});
