import { AgentResultSchema, ArtifactAction, ContractSchema, EvidenceType } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Init } from "../../../testing/init.ts";
import { runGate, type Verification, type VerifiedCommand } from "./gate.ts";

function tests(
  contract: Init<typeof ContractSchema>,
  result: Init<typeof AgentResultSchema> = {},
  verification?: Verification,
) {
  const question = {
    ...{ contract: create(ContractSchema, contract), result: create(AgentResultSchema, result) },
    ...{ verification, patchSizeLimit: 0 },
  };
  const found = runGate(question).find(({ name }) => name === "tests");
  return { status: found?.status, evidence: found?.evidence };
}
const ran = (passed: boolean, command?: string): VerifiedCommand => ({
  ...{ check: "tests", passed, exitCode: passed ? 0 : 1, output: passed ? "ok" : "broken" },
  ...(command !== undefined && { command }),
});
const environment = { testCommand: "npm test" };
const toRun = { environment, tests: { testsToRun: ["npm run e2e", "npm test"] } };

describe("tests to run", () => {
  it("[PIP-06] have to pass beside the test command", () => {
    const seen = (e2e: boolean) => ({ commands: [ran(true), ran(e2e, "npm run e2e")], changes: undefined });
    expect(tests(toRun, {}, seen(true)).status).toBe("PASSED");
    expect(tests(toRun, {}, seen(false))).toEqual({
      status: "FAILED",
      evidence: '"npm test" ended with 0: ok\n"npm run e2e" ended with 1: broken',
    });
  });

  it("[PIP-06] fail the check when the hub did not run them", () => {
    const verification = { commands: [ran(true)], changes: undefined, unseen: "no time was left" };
    expect(tests(toRun, {}, verification)).toEqual({
      status: "FAILED",
      evidence: '"npm test" ended with 0: ok\n"npm run e2e" was not run: no time was left',
    });
  });

  it("[PIP-06] need evidence of their own where the hub cannot look", () => {
    const item = (command: string, passed = true) => ({
      type: EvidenceType.TEST,
      command,
      output: "ok",
      passed,
    });
    const evidence = (...items: ReturnType<typeof item>[]) => ({
      evidence: { evidencePayload: { case: "items" as const, value: { items } } },
    });
    expect(tests(toRun, evidence(item("npm test"))).evidence).toContain(
      'no evidence that "npm run e2e" passed',
    );
    expect(tests(toRun, evidence(item("npm test"), item("npm run e2e"))).status).toBe("PASSED");
    expect(tests(toRun, evidence(item("npm test"), item("npm run e2e", false))).status).toBe("FAILED");
  });
});

describe("tests to add", () => {
  const contract = { tests: { testsToAdd: ["./tests/a.test.ts", "tests/b.py::test_it"] } };
  const changed = (...paths: string[]) => ({
    commands: [],
    changes: { files: paths.map((path) => ({ path, action: ArtifactAction.CREATED })), lines: 1 },
  });

  it("[PIP-06] have to be in the change", () => {
    expect(tests(contract, {}, changed("tests/a.test.ts", "tests/b.py")).status).toBe("PASSED");
    expect(tests(contract, {}, changed("src/a.ts", "tests/b.py"))).toEqual({
      status: "FAILED",
      evidence: "tests to add are not in the change: ./tests/a.test.ts",
    });
  });

  it("[PIP-06] are not in a change that deletes them, nor in one that nobody could see", () => {
    const deleted = [{ path: "tests/a.test.ts", action: ArtifactAction.DELETED }];
    expect(tests(contract, { artifacts: deleted }).evidence).toContain(
      "not in the change: ./tests/a.test.ts",
    );
    const unseen = { commands: [], changes: undefined, unseenChanges: "it is no repository" };
    expect(tests(contract, {}, unseen)).toEqual({
      status: "FAILED",
      evidence: "the tests to add could not be checked: it is no repository",
    });
  });
});
