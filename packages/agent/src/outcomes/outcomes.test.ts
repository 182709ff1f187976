import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentResult,
  AgentResultSchema,
  BlockerType,
  Confidence,
  EvidenceType,
  Outcome,
  ResponseStatus,
  schemaVersion,
  validate,
} from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { envelope, runAgent } from "../../testing/index.ts";
import { TaskFailed } from "../agent-error.ts";
import type { Task } from "../api/task.ts";

function run(answer: (task: Task) => AgentResult | Promise<AgentResult>, given = envelope()) {
  return runAgent({ pack: "p", version: "2.1.0", taskTypes: [], run: answer }, given);
}

const { SUCCESS, PARTIAL, RETRYABLE_FAILURE, NON_RETRYABLE_FAILURE, POLICY_BLOCKED } = Outcome;

describe("every outcome", () => {
  const outcomes: readonly [string, (task: Task) => AgentResult, Outcome, ResponseStatus, string][] = [
    ["success", (task) => task.success("s"), SUCCESS, ResponseStatus.SUCCESS, ""],
    ["completed", (task) => task.completed("s"), SUCCESS, ResponseStatus.COMPLETED, ""],
    ["partial", (task) => task.partial("s", []), PARTIAL, ResponseStatus.SUCCESS, ""],
    ["failure", (task) => task.failure("s"), NON_RETRYABLE_FAILURE, ResponseStatus.FAILURE, "TASK_FAILED"],
    [
      "retryable failure",
      (task) => task.failure("s", { retryable: true, code: "FLAKY" }),
      RETRYABLE_FAILURE,
      ResponseStatus.FAILURE,
      "FLAKY",
    ],
    ["escalate", (task) => task.escalate("s"), POLICY_BLOCKED, ResponseStatus.FAILURE, "NEEDS_PERSON"],
    ["ask", (task) => task.ask("s"), PARTIAL, ResponseStatus.CLARIFICATION_NEEDED, ""],
    [
      "outOfBudget",
      (task) => task.outOfBudget({ needed: { tokens: 5 }, reason: "s" }),
      PARTIAL,
      ResponseStatus.CLARIFICATION_NEEDED,
      "",
    ],
    [
      "retryWithInstruction",
      (task) => task.retryWithInstruction("s"),
      PARTIAL,
      ResponseStatus.RETRY_WITH_INSTRUCTION,
      "",
    ],
  ];

  it.each(outcomes)("[CON-04] %s is valid, with its status", async (_name, answer, outcome, status, code) => {
    const given = envelope({ taskId: "t", dispatchId: "d", attemptNumber: 3 });
    const { result, problems } = await run(answer, given);
    expect(problems).toEqual([]);
    expect(result && validate(AgentResultSchema, result)).toEqual([]);
    expect(result).toMatchObject({
      status: { outcome, summary: "s", failureCode: code },
      response: { status, message: "s", data: {} },
      taskId: "t",
      dispatchId: "d",
      attemptNumber: 3,
      trace: { traceId: given.trace?.traceId, tenantId: "default", agentId: "test" },
      protocolVersion: { schemaVersion, packVersion: "2.1.0" },
      usage: { steps: 0 },
    });
    const payload = result?.evidence?.evidencePayload;
    expect(payload?.case === "noneWithReason" && payload.value).toBeTruthy();
    const { startedAt, finishedAt } = result?.timing ?? {};
    expect(
      startedAt && finishedAt && timestampMs(finishedAt) - timestampMs(startedAt),
    ).toBeGreaterThanOrEqual(0);
  });

  it("contains what the attempt has produced", async () => {
    const { result } = await run((task) => {
      task.evidence({ check: "manual", passed: true, output: "looked at it" });
      task.decision("use a queue", "it may be slow");
      task.risk("the queue fills");
      task.assumption("one consumer");
      task.rollback("revert the commit");
      task.spend({ inputTokens: 5 });
      return task.partial(
        "half",
        [{ description: "no database", kind: "dependency-missing", suggestion: "start it" }],
        {
          data: { done: ["a"] },
          thought: "hm",
          nextStepHint: "again",
          confidence: "uncertain",
          commit: "abc",
        },
      );
    });
    expect(result).toMatchObject({
      status: { confidence: Confidence.UNCERTAIN },
      evidence: {
        evidencePayload: { case: "items", value: { items: [{ type: EvidenceType.MANUAL, passed: true }] } },
      },
      contextOut: {
        decisionsMade: [{ description: "use a queue", rationale: "it may be slow", sourceTask: "task-1" }],
        risksIdentified: ["the queue fills"],
        assumptionsMade: ["one consumer"],
        rollbackNotes: "revert the commit",
      },
      blockers: [{ blockerType: BlockerType.DEPENDENCY_MISSING, suggestedResolution: "start it" }],
      response: { data: { done: ["a"] }, thought: "hm", nextStepHint: "again" },
      usage: { inputTokens: 5n },
      commitSha: "abc",
    });
  });
});

describe("an error that run() throws", () => {
  it("is a failure without retry, with its message", async () => {
    const { result, problems } = await run(() => {
      throw new Error("the disk is full");
    });
    expect(result?.status).toMatchObject({
      outcome: NON_RETRYABLE_FAILURE,
      failureCode: "AGENT_ERROR",
      failureReason: "the disk is full",
    });
    expect(result && validate(AgentResultSchema, result)).toEqual([]);
    expect(problems).toMatchObject([{ code: "BATON-SDK-017", message: "run() threw: the disk is full" }]);
    // onProblem receives the place.
    expect(problems[0]?.at).toMatch(/^dispatch \S+, \S*outcomes\.test\.ts:\d+:\d+$/);
  });

  it("names the author's own line when a callee threw it", async () => {
    const { problems } = await run(({ success }) =>
      success(readFileSync(join(import.meta.dirname, "nowhere"), "utf8")),
    );
    expect(problems[0]?.at).toMatch(/^dispatch \S+, \S*outcomes\.test\.ts:\d+:\d+$/);
    const parsed = await run(({ success }) => success(JSON.parse("no JSON")));
    expect(parsed.problems[0]?.at).toMatch(/^dispatch \S+, \S*outcomes\.test\.ts:\d+:\d+$/);
    const misleading = await run(() => {
      throw new Error("\n    at elsewhere.ts:1:1");
    });
    expect(misleading.problems[0]?.at).toMatch(/^dispatch \S+, \S*outcomes\.test\.ts:\d+:\d+$/);
    const stackless = Object.assign(new Error("odd"), { stack: 7 });
    const odd = await run(() => Promise.reject(stackless));
    expect(odd.problems[0]?.at).toMatch(/^dispatch \S+$/);
  });

  it("is retried when the error says so", async () => {
    const { result } = await run(() => {
      throw new TaskFailed("the service is down", { retryable: true, code: "SERVICE_DOWN" });
    });
    expect(result?.status).toMatchObject({ outcome: RETRYABLE_FAILURE, failureCode: "SERVICE_DOWN" });
  });

  it.each([undefined, null, "text", 7, {}, Object.create(null), new Error("")])(
    "is a failure also when it is not an Error: %j",
    async (thrown) => {
      const { result } = await run(() => {
        throw thrown;
      });
      expect(result?.status?.outcome).toBe(NON_RETRYABLE_FAILURE);
      expect(result?.status?.failureReason).not.toBe("");
    },
  );
});

describe("a result that cannot be sent", () => {
  const wrong: readonly [string, (task: Task) => AgentResult, RegExp][] = [
    ["nothing", () => undefined as never, /must return a result, but returned nothing/],
    ["another object", () => ({ ok: true }) as never, /must return a result, but returned another object/],
    ["a number that is none", (task) => task.success("s", { data: { n: Number.NaN } }), /NaN|finite/],
    ["evidence that says nothing", (task) => task.success("s", { noEvidence: "" }), /evidence/],
    [
      "another task's id",
      (task) => Object.assign(task.success("s"), { dispatchId: "other" }),
      /dispatch_id differs from the task/,
    ],
    [
      "an output that is too long",
      (task) => {
        task.evidence({ check: "other", passed: true, output: "x".repeat(65_537) });
        return task.success("s");
      },
      /output/,
    ],
  ];

  it.each(wrong)(
    "%s: onProblem receives it, and the hub a failure with the reason",
    async (_what, answer, reason) => {
      const { result, problems } = await run(answer);
      expect(result?.status).toMatchObject({ outcome: NON_RETRYABLE_FAILURE, failureCode: "INVALID_ANSWER" });
      expect(result?.status?.failureReason).toMatch(reason);
      expect(result && validate(AgentResultSchema, result)).toEqual([]);
      expect(problems).toMatchObject([
        { code: "BATON-SDK-004", fix: expect.stringContaining("task.success()") },
      ]);
    },
  );
});
