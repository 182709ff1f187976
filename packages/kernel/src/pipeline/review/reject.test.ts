import { ResponseStatus, RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";

const diamond = stages({
  implement: {},
  security: { taskType: "review" },
  review: { taskType: "review", dependsOnStages: ["implement"] },
  verify: { taskType: "verify", dependsOnStages: ["security", "review"] },
});

const approve = (stageId: string) =>
  ({
    type: "review",
    stageId,
    dispatchId: `p/${stageId}/1`,
    verdict: { kind: "approve" },
    reason: "good",
    by: ada,
  }) as const;

describe("rejection", () => {
  const critical = { task: { riskTier: RiskTier.CRITICAL } };
  const verdict = (stageId: string, targetStageId?: string) =>
    ({
      type: "review",
      stageId,
      dispatchId: `p/${stageId}/1`,
      verdict: { kind: "reject", targetStageId, instructions: ["use the table"] },
      reason: "it guesses",
      by: ada,
    }) as const;

  it("[PIP-08] sends the stage itself back with the next attempt number and the feedback", () => {
    const run = new Run({ stages: stages({ a: {} }), ...critical });
    run.answer("a", { contextOut: { decisionsMade: [{ description: "guessed" }] } });
    expect(run.give(verdict("a"))).toEqual(["answered: reject", "a: sent back", "a: attempt 2 to dev-1"]);
    const { contract, reviewFeedback, execution } = run.envelope("a");
    expect(execution?.attemptNumber).toBe(2);
    expect(contract).toEqual(run.state?.task.contract);
    expect(reviewFeedback).toMatchObject({
      rejectedAttempt: 1,
      rejectedByStage: "a",
      priorContext: { decisionsMade: [{ description: "guessed" }] },
      instructions: ["it guesses", "use the table"],
    });
    expect(run.audited()).toContain("GATE_REJECTED a");
  });

  it("[PIP-08] sends an earlier stage back and resets its descendants, in flight or not", () => {
    const run = new Run({ stages: diamond, ...critical, task: {} }, { review: { normal: "person" } });
    run.answer("implement");
    run.give({ ...approve("implement"), dispatchId: "p/implement/1" });
    expect([run.status("security"), run.status("review")]).toEqual(["DISPATCHED", "DISPATCHED"]);
    run.answer("security");
    expect(run.give(verdict("security", "implement"))).toEqual([
      "answered: reject",
      "implement: sent back, resets security, review",
      "implement: attempt 2 to dev-1",
    ]);
    expect(run.commands.findLast(({ type }) => type === "cancel")).toMatchObject({
      dispatchId: "p/review/1",
    });
    run.answer("implement");
    run.give({ ...approve("implement"), dispatchId: "p/implement/2" });
    expect(run.envelope("review").execution).toMatchObject({ dispatchId: "p/review/2", attemptNumber: 2 });
  });

  it("[PIP-08] keeps the result of a branch that does not depend on the target", () => {
    const run = new Run({ stages: diamond }, { review: { normal: "person" } });
    run.answer("implement");
    run.give(approve("implement"));
    run.answer("review");
    run.give(approve("review"));
    run.answer("security");
    expect(run.give(verdict("security"))).toEqual([
      "answered: reject",
      "security: sent back",
      "security: attempt 2 to qa-1",
    ]);
    expect(run.status("review")).toBe("COMPLETED");
  });

  it("[PIP-09] rejections stay within max_rejections", () => {
    const run = new Run({ ...critical, policy: { maxRejections: 1 } });
    run.answer("a");
    run.give(verdict("a"));
    run.answer("a");
    expect(run.give({ ...verdict("a"), dispatchId: "p/a/2" })[1]).toBe(
      "a: failed, rejected once more than the 1 times that are allowed: it guesses",
    );
  });

  it("a review that fails the stage leaves the rest to the failure strategy", () => {
    const run = new Run(critical);
    run.answer("a");
    const lines = run.give({ ...verdict("a"), verdict: { kind: "fail" } });
    expect(lines[1]).toBe("a: failed, it guesses");
  });

  it("[SAC-11] retry_with_instruction talks back to the stage before", () => {
    const run = new Run({ stages: stages({ a: {}, b: { taskType: "review" } }) });
    run.answer("a");
    const response = { status: ResponseStatus.RETRY_WITH_INSTRUCTION, message: "cite your sources" };
    expect(run.answer("b", { response })).toEqual([
      "b: result received",
      "a: sent back, resets b",
      "a: attempt 2 to dev-1",
    ]);
    expect(run.envelope("a").reviewFeedback?.instructions).toEqual(["cite your sources"]);
    expect(run.envelope("a").reviewFeedback?.failedChecks).toMatchObject([
      { checkName: "review", reason: "cite your sources", evidence: "done" },
    ]);
  });
});
