import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  GetAttemptRequestSchema,
  GuardrailDecision,
  PipelineStatus,
  ResponseStatus,
  StageStatus,
} from "@baton/contract";
import type { GuardrailCheck, GuardrailPolicy } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, ended, reaches, submit, TestAgent, testHub } from "../../testing/index.ts";
import type { HubParts } from "../compose/create-hub.ts";
import type { GuardrailFunction } from "./guards.ts";

const parts = ["message", "thought", "data", "summary", "context"] as const;
const policyOf = (...checks: readonly (readonly [string, GuardrailCheck])[]): GuardrailPolicy => ({
  redactFailures: true,
  rules: checks.map(([name, check]) => ({ name, check, parts, scope: {} })),
});
const token = `ghp_${"a1B2".repeat(9)}`;

/** One run of one stage that answers so. */
async function runWith(
  given: Partial<HubParts>,
  response: { message: string; data?: object; failure?: true },
) {
  const hub = await testHub(given);
  onTestFinished(() => hub.drain(0));
  const { failure, ...fields } = response;
  const status = failure ? ResponseStatus.FAILURE : ResponseStatus.SUCCESS;
  const agent = new TestAgent(hub, {
    packId: "dev",
    answer: () => ({ response: { status, ...fields } as never }),
  });
  await agent.receive("welcome");
  const pipelineId = await submit(hub, { policy: { failureStrategy: 2 } } as never).catch(() => submit(hub));
  const pipeline = await reaches(hub, pipelineId, ...ended, PipelineStatus.PAUSED);
  const stage = pipeline.stages[0];
  if (!stage) throw new Error("there is a stage");
  const request = create(GetAttemptRequestSchema, { dispatchId: stage.dispatchId });
  const attempt = await hub.getAttempt(ada, request);
  const printed = stage.guardrails.map(({ name, decision }) => `${name} ${GuardrailDecision[decision]}`);
  return { hub, pipeline, stage, attempt, printed, agent };
}

const fn = (check: GuardrailFunction["check"], more: Partial<GuardrailFunction> = {}) => ({
  guardrailFunctions: [{ name: "own", check, ...more }],
});

describe("an answer that a guardrail", () => {
  it("[SAC-09] passes completes its stage, with the verdicts on it", async () => {
    const guardrails = policyOf(
      ["no-secrets", { kind: "secrets" }],
      ["short", { kind: "size", maxChars: 1_000 }],
    );
    const { stage, printed } = await runWith({ guardrails }, { message: "done" });
    expect(printed).toEqual(["no-secrets PASSED", "short PASSED"]);
    expect(stage.status).toBe(StageStatus.COMPLETED);
    expect(stage.result?.response?.message).toBe("done");
  });

  it("[SAC-09] blocks is a failure without its content, wherever it is read", async () => {
    const guardrails = policyOf(["no-secrets", { kind: "secrets" }], ["late", { kind: "size", maxChars: 1 }]);
    const { stage, attempt, printed } = await runWith(
      { guardrails },
      { message: `use ${token}`, data: { n: 1 } },
    );
    expect(printed).toEqual(["no-secrets BLOCKED"]);
    expect(stage.status).toBe(StageStatus.FAILED);
    expect(stage.waitingFor).toContain('guardrail "no-secrets" blocked the answer: contains a secret');
    expect(stage.guardrails[0]?.path).toBe("response.message");
    for (const result of [stage.result, attempt.result]) {
      expect(result?.response?.status).toBe(ResponseStatus.FAILURE);
      expect(JSON.stringify(result?.response)).not.toContain("use ");
      expect(result?.response?.data).toBeUndefined();
    }
  });

  it("[SAC-09] fails in: its message is redacted, and its data stays", async () => {
    const data = { email: "jane.doe@example.org" };
    const { stage, printed } = await runWith(
      { guardrails: policyOf() },
      { message: "no account for jane.doe@example.org", data, failure: true },
    );
    expect(printed).toEqual(["redact_failures REDACTED"]);
    expect(stage.result?.response?.message).toBe("no account for [redacted:email]");
    expect(stage.waitingFor).toBe("no account for [redacted:email]");
    expect(Object.keys(stage.result?.response?.data ?? {})).toEqual(["email"]);
  });
});

describe("a guardrail that is a function", () => {
  it("[SAC-09] reads the whole answer, and decides", async () => {
    const seen: unknown[] = [];
    const check: GuardrailFunction["check"] = (answer) => {
      seen.push(answer);
      return answer.message.includes("guarantee")
        ? { pass: false, reason: "promises a guarantee", path: "response.message" }
        : { pass: true };
    };
    const { printed, stage } = await runWith(fn(check), { message: "we guarantee it", data: { a: [1] } });
    expect(seen).toEqual([
      expect.objectContaining({ status: "success", message: "we guarantee it", data: { a: [1] } }),
    ]);
    expect(printed).toEqual(["own BLOCKED"]);
    expect(stage.guardrails[0]).toMatchObject({ reason: "promises a guarantee", path: "response.message" });
  });

  it("[SAC-09] blocks when it throws, and when it is late", async () => {
    const throwing = await runWith(
      fn(() => {
        throw new Error("the list is gone");
      }),
      { message: "done" },
    );
    expect([throwing.printed, throwing.stage.guardrails[0]?.reason]).toEqual([
      ["own ERROR"],
      "the list is gone",
    ]);
    const signals: AbortSignal[] = [];
    const never: GuardrailFunction["check"] = (_, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const late = await runWith(fn(never, { timeoutMs: 20 }), { message: "done" });
    expect([late.printed, late.stage.guardrails[0]?.reason]).toEqual([
      ["own ERROR"],
      "no answer after 20 ms",
    ]);
    expect(signals[0]?.aborted).toBe(true);
    expect(late.stage.status).toBe(StageStatus.FAILED);
  });

  it("[SAC-09] is no longer there after a restart: nothing passes in its place", async () => {
    const guardrails: GuardrailPolicy = {
      redactFailures: false,
      rules: [{ name: "gone", check: { kind: "function", timeoutMs: 20 }, parts, scope: {} }],
    };
    const { printed } = await runWith({ guardrails }, { message: "done" });
    expect(printed).toEqual(["gone ERROR"]);
  });
});

describe("a guardrail that is a command", () => {
  /** A program in the folder of the configuration. */
  function commandGuard(body: string, timeoutMs = 60_000) {
    const folder = mkdtempSync(join(tmpdir(), "baton-guard-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "check.mjs"), body);
    const check = { kind: "command", run: ["node", "{config}/check.mjs"], timeoutMs } as const;
    return { guardrails: policyOf(["own", check]), guardCommands: { folder } };
  }
  const reading = `
    let text = "";
    for await (const chunk of process.stdin) text += chunk;
    const answer = JSON.parse(text);`;

  it("[SAC-09] reads the answer on standard input, and blocks with what it prints", async () => {
    const body = `${reading}
      if (answer.origin.packId !== "dev" || answer.data.n !== 41) throw new Error("unexpected: " + text);
      if (answer.message.includes("guarantee")) { console.log("promises a guarantee"); process.exitCode = 1; }`;
    const blocked = await runWith(commandGuard(body), { message: "we guarantee it", data: { n: 41 } });
    expect(blocked.printed).toEqual(["own BLOCKED"]);
    expect(blocked.stage.guardrails[0]?.reason).toBe("promises a guarantee");
    const passed = await runWith(commandGuard(body), { message: "done", data: { n: 41 } });
    expect(passed.printed).toEqual(["own PASSED"]);
  });

  it("[SAC-09] blocks when it fails, does not read, is late or does not exist", async () => {
    const failing = await runWith(commandGuard("process.exit(3)"), { message: "x".repeat(1_000_000) });
    expect([failing.printed, failing.stage.guardrails[0]?.reason]).toEqual([
      ["own ERROR"],
      "it ended with exit code 3",
    ]);
    const late = await runWith(commandGuard("setInterval(() => {}, 1000)", 300), { message: "done" });
    expect(late.stage.guardrails[0]?.reason).toBe("no answer after 300 ms");
    const guardrails = policyOf(["own", { kind: "command", run: ["no-such-program"], timeoutMs: 1_000 }]);
    const missing = await runWith({ guardrails }, { message: "done" });
    expect(missing.stage.guardrails[0]?.reason).toContain("cannot start");
  });
});
