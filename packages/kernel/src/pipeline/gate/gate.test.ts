import {
  AgentResultSchema,
  ArtifactAction,
  Confidence,
  ContractSchema,
  EvidenceType,
  Outcome,
  RiskTier,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Init } from "../../../testing/init.ts";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import { runGate, type Verification } from "./gate.ts";

const environment = {
  testCommand: "npm test",
  lintCommand: "npx biome check",
  typecheckCommand: "",
  buildCommand: "",
  securityCommand: "npm audit",
};
const claim = (type: EvidenceType, passed = true) => ({ type, command: "npm test", output: "ok", passed });
const claims = (...items: ReturnType<typeof claim>[]) =>
  ({ evidencePayload: { case: "items", value: { items } } }) as const;

function findings(
  contract: Init<typeof ContractSchema>,
  result: Init<typeof AgentResultSchema>,
  verification?: Verification,
  patchSizeLimit = 0,
) {
  return runGate({
    contract: create(ContractSchema, contract),
    result: create(AgentResultSchema, result),
    verification,
    patchSizeLimit,
  });
}

const statuses = (checks: ReturnType<typeof runGate>) =>
  checks.map(({ name, status }) => `${name} ${status}`);

describe("the six checks", () => {
  it("[PIP-06] do not apply where the contract asks nothing, and say so", () => {
    const checks = findings({}, {});
    expect(statuses(checks)).toEqual([
      "scope NOT_APPLICABLE",
      "tests NOT_APPLICABLE",
      "lint NOT_APPLICABLE",
      "typecheck NOT_APPLICABLE",
      "build NOT_APPLICABLE",
      "security NOT_APPLICABLE",
    ]);
    expect(checks[1]?.evidence).toBe("the contract names no command for it");
  });

  it("[PIP-06] want evidence of each command, by its type", () => {
    const evidence = claims(claim(EvidenceType.TEST), claim(EvidenceType.LINT, false));
    expect(
      statuses(findings({ environment }, { evidence })).filter((line) => !line.includes("NOT_")),
    ).toEqual(["tests PASSED", "lint FAILED", "security FAILED"]);
  });

  it("[PIP-07] believe what the hub saw, not what the agent claims", () => {
    const evidence = claims(claim(EvidenceType.TEST), claim(EvidenceType.LINT), claim(EvidenceType.SECURITY));
    const seen = (check: "tests" | "lint" | "security", passed: boolean) =>
      ({ check, passed, exitCode: passed ? 0 : 1, output: "1 failed" }) as const;
    const verification = { commands: [seen("tests", false), seen("lint", true)], changes: undefined };
    const checks = findings({ environment }, { evidence }, verification);
    const [, tests, lint, , , security] = checks;
    expect([tests?.status, tests?.disproved]).toEqual(["FAILED", true]);
    expect(tests?.evidence).toBe(
      'the agent claimed that it passed: ok\nthe hub saw: "npm test" ended with 1: 1 failed',
    );
    expect(lint?.status).toBe("PASSED");
    expect(security?.evidence).toBe('"npm audit" was not run');
  });

  it("[PIP-06] say why the hub did not look, and do not hold that against the agent", () => {
    const evidence = claims(claim(EvidenceType.TEST), claim(EvidenceType.LINT), claim(EvidenceType.SECURITY));
    const verification = { commands: [], changes: undefined, unseen: "nobody may look there" };
    const [scope, tests] = findings({ environment }, { evidence }, verification, 10);
    expect(scope).toMatchObject({
      status: "FAILED",
      evidence: "the size of the patch could not be seen: nobody may look there",
    });
    expect(tests).toEqual({
      name: "tests",
      status: "FAILED",
      evidence: '"npm test" was not run: nobody may look there',
      disproved: false,
      claim: { command: "npm test", output: "ok", passed: true },
    });
  });

  it("[PIP-06] [DIS-16] say of a task that is marked as delicate who has looked at that", () => {
    const item = (passed: boolean) => ({
      type: EvidenceType.SECURITY,
      command: "audit",
      output: "a hole",
      passed,
    });
    const securityOf = (approved: boolean, ...items: ReturnType<typeof item>[]) => {
      const contract = create(ContractSchema, {});
      const evidencePayload =
        items.length > 0
          ? ({ case: "items", value: { items } } as const)
          : ({ case: "noneWithReason", value: "none" } as const);
      const result = create(AgentResultSchema, { evidence: { evidencePayload } });
      const flags = { raised: ["touches_auth"], approved };
      return runGate({ contract, patchSizeLimit: 0, result, flags, verification: undefined }).at(-1);
    };
    expect(securityOf(false)).toMatchObject({
      status: "NOT_APPLICABLE",
      evidence: expect.stringMatching(/marked touches_auth: nobody has looked at that$/),
    });
    expect(securityOf(true)).toMatchObject({
      status: "PASSED",
      evidence: expect.stringMatching(/a person approved that before it was sent$/),
    });
    expect(securityOf(true, item(false))).toMatchObject({ status: "FAILED", claim: { passed: false } });
    expect(securityOf(false, item(true))).toMatchObject({
      status: "PASSED",
      evidence: expect.stringContaining("only the agent looked at that"),
    });
  });

  const expectedFiles = { create: ["new.ts"], modify: ["old.ts"], delete: ["gone.ts"] };
  const artifact = (path: string, action: ArtifactAction) => ({ path, action });

  it("[PIP-06] scope: only expected files, by what happened to them", () => {
    const good = [artifact("new.ts", ArtifactAction.MODIFIED), artifact("gone.ts", ArtifactAction.DELETED)];
    expect(findings({ expectedFiles }, { artifacts: good })[0]?.status).toBe("PASSED");
    const dotted = { create: ["./new.ts"], modify: ["./old.ts"], delete: ["./gone.ts"] };
    expect(findings({ expectedFiles: dotted }, { artifacts: good })[0]?.status).toBe("PASSED");
    const [scope] = findings({ expectedFiles }, { artifacts: [artifact("old.ts", ArtifactAction.DELETED)] });
    expect([scope?.status, scope?.evidence]).toEqual(["FAILED", "files nobody expected: old.ts (deleted)"]);
  });

  it("[PIP-07] scope: what really changed counts, and a change that was not reported disproves the report", () => {
    const files = [artifact("secret.ts", ArtifactAction.MODIFIED)];
    const verification = { commands: [], changes: { files, lines: 3 } };
    const [scope] = findings({ expectedFiles }, { artifacts: [] }, verification);
    expect([scope?.status, scope?.disproved]).toEqual(["FAILED", true]);
  });

  it("[PIP-06] scope: the patch is no larger than allowed", () => {
    const changes = { files: [], lines: 401 };
    const [scope] = findings({}, {}, { commands: [], changes }, 400);
    expect(scope?.evidence).toBe("401 changed lines are more than the 400 that are allowed");
    expect(findings({}, {}, { commands: [], changes: { ...changes, lines: 400 } }, 400)[0]?.status).toBe(
      "PASSED",
    );
  });

  it("[PIP-06] [PIP-07] scope: what cannot be counted is larger than any limit", () => {
    const changes = { files: [], lines: 1, uncounted: ["inner/"] };
    expect(findings({}, {}, { commands: [], changes }, 400)[0]).toMatchObject({
      status: "FAILED",
      evidence: "the size of the patch is limited, and these have none that can be counted: inner/",
    });
    expect(findings({}, {}, { commands: [], changes })[0]?.status).toBe("NOT_APPLICABLE");
  });

  it("[PIP-06] [PIP-07] scope: changes that the hub could not see fail, whatever the agent lists", () => {
    const unseen = { commands: [], changes: undefined, unseen: "more than 10 files were changed" };
    const artifacts = [artifact("old.ts", ArtifactAction.MODIFIED)];
    expect(findings({ expectedFiles }, { artifacts }, unseen)[0]).toMatchObject({
      status: "FAILED",
      evidence: "the changed files could not be seen: more than 10 files were changed",
      disproved: false,
    });
    expect(findings({}, {}, unseen, 400)[0]).toMatchObject({
      status: "FAILED",
      evidence: "the size of the patch could not be seen: more than 10 files were changed",
    });
    const late = { ...unseen, unseenChanges: "there was no time" };
    expect(findings({ expectedFiles }, { artifacts }, late)[0]?.evidence).toBe(
      "the changed files could not be seen: there was no time",
    );
    expect(findings({}, {}, unseen)[0]?.status).toBe("NOT_APPLICABLE");
  });

  it("[PIP-06] scope: without access to the workspace, the finding is marked as the agent's claim", () => {
    const artifacts = [artifact("old.ts", ArtifactAction.MODIFIED)];
    const [believed] = findings({ expectedFiles }, { artifacts }, undefined, 400);
    expect([believed?.status, believed?.evidence]).toEqual([
      "PASSED",
      "1 file by the agent's word, all as expected; the size of the patch was not verified",
    ]);
  });
});

describe("the review gate", () => {
  const contract = {
    taskId: "t",
    title: "t",
    acceptanceCriteria: ["c"],
    environment: { testCommand: "npm test" },
  };
  const passing = { evidence: claims(claim(EvidenceType.TEST)) };
  const workspace = { repository: "repo", path: "repo" };

  it("[PIP-06] passes low risk by itself", () => {
    const run = new Run({ task: { contract, riskTier: RiskTier.LOW } });
    expect(run.answer("a", passing).at(-1)).toBe("pipeline: completed");
    const passed = run.audit.find(({ action }) => action === "the gate passed");
    expect(passed?.snapshot?.snapshotPayload.value).toMatchObject({ tier: "LOW", passed: true });
    expect(
      passed?.snapshot?.snapshotPayload.case === "gate" && passed.snapshot.snapshotPayload.value.checks,
    ).toHaveLength(6);
  });

  it("[PIP-06] tries again with the failed checks and their evidence when they do not hold", () => {
    const run = new Run({ task: { contract } });
    expect(run.answer("a", { evidence: claims(claim(EvidenceType.TEST, false)) })).toEqual([
      "a: result received",
      "a: tried again, waits for the backoff",
    ]);
    expect(run.audited()).toContain("GATE_FAILED a");
    run.fireTimer("retry");
    expect(run.envelope("a").reviewFeedback).toMatchObject({
      failedChecks: [{ checkName: "tests", reason: "tests failed", evidence: expect.stringContaining("ok") }],
    });
  });

  it("[PIP-06] lets a reviewer decide normal risk when the policy says so", () => {
    const run = new Run({ task: { contract } }, { review: { normal: "agent" } });
    expect(run.answer("a", passing).at(-1)).toBe("a: review by an agent");
    expect(run.commands.at(-1)).toEqual({ type: "request-review", stageId: "a", dispatchId: "p/a/1" });
    const verdict = { kind: "approve" } as const;
    const by = { kind: "agent", id: "qa-1", packId: "qa" } as const;
    const lines = run.give({
      type: "review",
      stageId: "a",
      dispatchId: "p/a/1",
      verdict,
      reason: "good",
      by,
    });
    expect(lines.at(-1)).toBe("pipeline: completed");
  });

  it("[PIP-06] waits for a person when the risk is critical", () => {
    const run = new Run({ task: { contract, riskTier: RiskTier.CRITICAL } });
    expect(run.answer("a", passing).slice(1)).toEqual([
      'asks a person about REVIEW: stage "a" waits for a review by a person: required for critical risk',
      "a: review by a person",
    ]);
    const verdict = { kind: "approve" } as const;
    expect(
      run.give({ type: "review", stageId: "a", dispatchId: "p/a/1", verdict, reason: "seen", by: ada }),
    ).toEqual(["answered: approve", "a: completed", "pipeline: completed"]);
    const passed = run.audit.find(({ action }) => action === "the gate passed");
    expect([passed?.actor?.id, passed?.rationale]).toEqual(["ada", "seen"]);
  });

  it("[PIP-06] asks a person about a normal result that the agent is not sure of", () => {
    const run = new Run({ task: { contract } });
    const status = { outcome: Outcome.SUCCESS, confidence: Confidence.UNCERTAIN };
    expect(run.answer("a", { ...passing, status }).at(-1)).toBe("a: review by a person");
  });

  it("[PIP-07] runs the contract's commands itself where there is a workspace, and counts a disproved claim", () => {
    const run = new Run({ stages: stages({ a: {} }), task: { contract, workspace } });
    expect(run.answer("a", passing)).toEqual(["a: result received"]);
    expect(run.commands.at(-1)).toMatchObject({ type: "verify", dispatchId: "p/a/1", workspace });
    const command = { check: "tests", passed: false, exitCode: 1, output: "boom" } as const;
    const verification = { commands: [command], changes: undefined };
    expect(run.give({ type: "verified", dispatchId: "p/a/1", verification })).toEqual([
      "a: tried again, waits for the backoff",
    ]);
    const lie = run.commands.find((one) => one.type === "notify-fleet" && one.report.kind === "claims");
    expect(lie).toMatchObject({ report: { instanceId: "dev-1" } });
    expect(run.give({ type: "verified", dispatchId: "p/a/1", verification })).toEqual([]);
  });
});
