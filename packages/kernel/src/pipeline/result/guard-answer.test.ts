import { AuditEventType, GuardrailDecision, ResponseStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import type { Guarded } from "../../guardrails/verdict.ts";
import { resultOf } from "../state/stage-state.ts";

const rule = { name: "no-secrets", check: { kind: "secrets" }, parts: ["message"], scope: {} } as const;
const passed = { name: "no-secrets", decision: "PASSED", rule: "secrets", reason: "", path: "" } as const;
const blocked = {
  ...passed,
  decision: "BLOCKED",
  reason: "contains a secret: token",
  path: "response.data.key",
} as const;

/** Two stages: the second handles a failure of the first, as an error edge of a graph does. */
function guardedRun() {
  const run = new Run({
    stages: stages({
      a: { errorStageId: "b", required: false },
      b: { dependsOnStages: ["a"], required: false, condition: 'nodes["a"].status == "failure"' },
    }),
  });
  run.world = { ...run.world, guardrails: { redactFailures: true, rules: [rule] } };
  return run;
}
const decided = (run: Run, guarded: Guarded) => run.give({ type: "guarded", dispatchId: "p/a/1", guarded });
const message = "the key is k-123";
const response = { status: ResponseStatus.SUCCESS, message, thought: "hm", data: { key: "k-123" } };

describe("an answer with guardrails", () => {
  it("[SAC-09] is checked before anything follows from it, with everything that others would see", () => {
    const run = guardedRun();
    expect(run.answer("a", { response })).toEqual(["a: result received"]);
    const command = run.commands.at(-1);
    expect(command).toMatchObject({
      type: "guard",
      dispatchId: "p/a/1",
      rules: [rule],
      redactFailures: true,
    });
    if (command?.type !== "guard") throw new Error("no guard");
    expect(JSON.parse(command.answer)).toMatchObject({
      status: "success",
      message,
      thought: "hm",
      data: response.data,
    });
    expect(run.status("a")).toBe("DISPATCHED");
    decided(run, { verdicts: [passed] });
    expect(run.status("a")).toBe("COMPLETED");
    expect(run.state?.stages[0]?.guardrails).toEqual([passed]);
  });

  it("[SAC-09] that is blocked takes the error edge, and nothing of it is passed on", () => {
    const run = guardedRun();
    run.answer("a", { response });
    decided(run, { verdicts: [blocked] });
    expect(run.status("a")).toBe("SKIPPED");
    expect(run.status("b")).toBe("DISPATCHED");
    const stage = run.state?.stages[0];
    const result = stage && resultOf(stage);
    expect(result?.response).toMatchObject({ status: ResponseStatus.FAILURE, thought: "" });
    expect(JSON.stringify(result?.response)).not.toContain("k-123");
    expect(JSON.stringify(run.envelope("b").inputs ?? {})).not.toContain("k-123");
    const entry = run.audit.find(({ eventType }) => eventType === AuditEventType.GUARDRAILS_CHECKED);
    expect(entry?.snapshot?.snapshotPayload).toMatchObject({
      case: "guardrails",
      value: { blocked: true, verdicts: [{ name: "no-secrets", decision: GuardrailDecision.BLOCKED }] },
    });
    expect(entry?.rationale).toBe(
      'guardrail "no-secrets" blocked the answer: contains a secret: token (response.data.key)',
    );
  });

  it("[SAC-09] is blocked by a guardrail that failed or was late", () => {
    const run = guardedRun();
    run.answer("a", { response });
    decided(run, { verdicts: [{ ...passed, decision: "ERROR", reason: "no answer after 30000 ms" }] });
    expect(run.status("a")).toBe("SKIPPED");
    const entry = run.audit.find(({ eventType }) => eventType === AuditEventType.GUARDRAILS_CHECKED);
    expect(entry?.rationale).toContain("could not check the answer: no answer after 30000 ms");
  });

  it("[SAC-09] that fails keeps its data, and shows a redacted message", () => {
    const run = guardedRun();
    run.answer("a", { response: { ...response, status: ResponseStatus.FAILURE } });
    const redacted = { message: "the key is [redacted:data]" };
    decided(run, { verdicts: [passed, { ...passed, decision: "REDACTED" }], redacted });
    const stage = run.state?.stages[0];
    expect(stage && resultOf(stage)?.response).toMatchObject({ ...redacted, data: response.data });
    expect(stage?.status === "SKIPPED" && stage.reason).toBe(redacted.message);
  });

  it("[SAC-09] is decided once, and has no verdict of the attempt before", () => {
    const run = guardedRun();
    run.answer("a", { response });
    decided(run, { verdicts: [passed] });
    expect(decided(run, { verdicts: [blocked] })).toEqual([]);
    expect(run.status("a")).toBe("COMPLETED");
  });

  it("[SAC-09] whose data breaks its schema is checked as well, before the violations go anywhere", () => {
    const run = new Run({ stages: stages({ a: { outputSchema: { required: ["size"] } } }) });
    run.world = { ...run.world, guardrails: { redactFailures: false, rules: [rule] } };
    expect(run.answer("a", { response })).toEqual(["a: result received"]);
    decided(run, { verdicts: [passed] });
    run.fireTimer("retry");
    expect(run.envelope("a").reviewFeedback?.failedChecks[0]?.checkName).toBe("output_schema");
    expect(run.state?.stages[0]?.guardrails).toEqual([passed]);
  });
});
