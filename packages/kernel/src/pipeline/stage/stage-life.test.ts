import { FailureStrategy, Outcome, RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";

const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "it cannot be done" } };
const retryable = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "try again" } };

describe("the life of a stage", () => {
  it("[PIP-02] goes from PENDING through READY and DISPATCHED to COMPLETED", () => {
    const run = new Run({ stages: stages({ a: {}, b: { taskType: "review" } }) });
    expect([run.status("a"), run.status("b")]).toEqual(["DISPATCHED", "PENDING"]);
    expect(run.answer("a")).toEqual([
      "a: result received",
      "a: completed",
      "b: ready",
      "b: attempt 1 to qa-1",
    ]);
    expect(run.answer("b")).toEqual(["b: result received", "b: completed", "pipeline: completed"]);
  });

  it("[PIP-05] RETRYABLE_FAILURE within the budget is tried again, then fails", () => {
    const run = new Run({ stages: stages({ a: { handoffPolicy: { retry: { maxAttempts: 2 } } } }) });
    expect(run.answer("a", retryable)).toEqual([
      "a: result received",
      "a: tried again, waits for the backoff",
    ]);
    run.fireTimer("retry");
    expect(run.answer("a", retryable)).toEqual([
      "a: result received",
      "a: failed, try again",
      'asks a person about FAILURE: stage "a" failed: try again',
      'pipeline: paused, stage "a" failed: try again',
    ]);
  });

  it("[PIP-09] retries of all stages together stay within max_total_retries", () => {
    const run = new Run({ stages: stages({ a: {} }), policy: { maxTotalRetries: 1 } });
    run.answer("a", retryable);
    run.fireTimer("retry");
    expect(run.answer("a", retryable).at(1)).toBe("a: failed, try again");
  });

  it("[PIP-05] NON_RETRYABLE_FAILURE leaves the rest to the failure strategy: PAUSE", () => {
    const run = new Run();
    expect(run.answer("a", failing).at(-1)).toBe('pipeline: paused, stage "a" failed: it cannot be done');
    expect(run.give({ type: "resume", reason: "fixed", by: ada })).toEqual([
      "pipeline: resumed",
      "answered: resumed",
      "a: sent back",
      "a: attempt 2 to dev-1",
    ]);
    expect(run.answer("a").at(-1)).toBe("pipeline: completed");
  });

  it("[PIP-09] failure strategy FAIL_FAST ends the pipeline and cancels what runs", () => {
    const policy = { failureStrategy: FailureStrategy.FAIL_FAST };
    const run = new Run({ stages: stages({ a: {}, b: { dependsOnStages: [] } }), policy });
    expect(run.answer("a", failing)).toEqual([
      "a: result received",
      "a: failed, it cannot be done",
      'pipeline: failed, stage "a" failed: it cannot be done',
    ]);
    expect(run.commands.findLast(({ type }) => type === "cancel")).toMatchObject({ dispatchId: "p/b/1" });
    expect(run.give({ type: "resume", reason: "please", by: ada })[0]).toContain("refused: cannot resume");
  });

  it("[PIP-09] [PIP-10] failure strategy FAIL_FAST ends the pipeline when the budget has no room, without a question", () => {
    const two = stages({ a: {}, b: {} });
    const usage = { inputTokens: 60n, outputTokens: 40n };
    const budget = { maxTokens: 100n };
    const fast = new Run({ stages: two, policy: { budget, failureStrategy: FailureStrategy.FAIL_FAST } });
    fast.answer("a", { usage });
    expect(fast.state?.life).toMatchObject({
      status: "FAILED",
      reason: 'stage "b" is not sent: the budget is spent: 100 tokens, $0.00, 0 steps of 100 tokens',
    });
    expect(fast.state?.escalations.size).toBe(0);
    const pausing = new Run({ stages: two, policy: { budget } });
    pausing.answer("a", { usage });
    expect(pausing.state?.life.status).toBe("RUNNING");
    const questions = [...(pausing.state?.escalations.values() ?? [])];
    expect(questions.map(({ stage }) => pausing.state?.plan.stages[stage ?? 0]?.id)).toContain("b");
  });

  it("[PIP-09] failure strategy SKIP_FAILED skips what is not required, and what depends on it", () => {
    const policy = { failureStrategy: FailureStrategy.SKIP_FAILED };
    const optional = { required: false };
    const run = new Run({ stages: stages({ a: optional, b: optional, c: { dependsOnStages: [] } }), policy });
    expect(run.answer("a", failing)).toEqual([
      "a: result received",
      "a: skipped, it cannot be done",
      'b: left out, it depends on "a", which was skipped',
    ]);
    expect(run.answer("c").at(-1)).toBe("pipeline: completed");
  });

  it("[PIP-09] failure strategy SKIP_FAILED does not skip what is required: it pauses", () => {
    const run = new Run({ policy: { failureStrategy: FailureStrategy.SKIP_FAILED } });
    expect(run.answer("a", failing).at(-1)).toContain("pipeline: paused");
  });

  it("[PIP-09] require_all_stages makes every stage required", () => {
    const policy = { failureStrategy: FailureStrategy.SKIP_FAILED, requireAllStages: true };
    const run = new Run({ stages: stages({ a: { required: false } }), policy });
    expect(run.answer("a", failing).at(-1)).toContain("pipeline: paused");
  });

  it("a required stage that depends on a skipped one stops the pipeline instead of hanging", () => {
    const policy = { failureStrategy: FailureStrategy.SKIP_FAILED };
    const run = new Run({ stages: stages({ a: { required: false }, b: {} }), policy });
    expect(run.answer("a", failing).at(-1)).toBe(
      'pipeline: paused, stage "b" cannot run: it depends on "a", which was skipped',
    );
  });

  it("[PIP-05] POLICY_BLOCKED pauses and asks a person", () => {
    const run = new Run();
    expect(
      run.answer("a", { status: { outcome: Outcome.POLICY_BLOCKED, failureReason: "forbidden" } }),
    ).toEqual([
      "a: result received",
      "a: failed, forbidden",
      "asks a person about POLICY: forbidden",
      "pipeline: paused, forbidden",
    ]);
  });

  it("[PIP-05] PARTIAL goes to review, whatever the risk, and a person decides to advance or to send it back", () => {
    const blockers = [{ description: "no database", suggestedResolution: "start it" }];
    const partial = { status: { outcome: Outcome.PARTIAL }, blockers };
    for (const riskTier of [RiskTier.LOW, RiskTier.NORMAL, RiskTier.CRITICAL]) {
      const run = new Run({ task: { riskTier } });
      run.answer("a", partial);
      expect(run.openQuestions()).toEqual([
        'stage "a" waits for a review by a person: the agent reports it done in part; no database (suggested: start it)',
      ]);
      const review = {
        type: "review",
        stageId: "a",
        dispatchId: "p/a/1",
        reason: "start it",
        by: ada,
      } as const;
      run.give({ ...review, verdict: { kind: "reject", targetStageId: undefined, instructions: [] } });
      expect(run.envelope("a").reviewFeedback?.instructions).toEqual(["start it"]);
      run.answer("a", { status: { outcome: Outcome.PARTIAL } });
      const approved = run.give({ ...review, dispatchId: "p/a/2", verdict: { kind: "approve" } });
      expect(approved.at(-1)).toBe("pipeline: completed");
    }
  });

  it("[PIP-05] PARTIAL goes to the reviewer agent where one reviews the tier", () => {
    const run = new Run({ task: { riskTier: RiskTier.NORMAL } }, { review: { normal: "agent" } });
    run.answer("a", { status: { outcome: Outcome.PARTIAL } });
    expect(run.commands.at(-1)).toMatchObject({ type: "request-review", dispatchId: "p/a/1" });
  });
});
