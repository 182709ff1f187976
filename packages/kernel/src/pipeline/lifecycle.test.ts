import { FailureStrategy, Outcome, ResponseStatus, RiskTier } from "@baton/contract";
import { afterAll, describe, expect, it } from "vitest";
import { stages, type TestPipeline } from "../../testing/pipelines.ts";
import { ada, Run } from "../../testing/run.ts";
import { arrowsOf, movesOf } from "../../testing/transitions.ts";
import type { World } from "../world.ts";
import { pipelineTransitions, stageTransitions } from "./machine.ts";

const runs: Run[] = [];

/** A story about one pipeline; its records count for the arrows that were reached. */
function tell(pipeline: TestPipeline = {}, world: Partial<World> = {}): Run {
  const run = new Run(pipeline, world);
  runs.push(run);
  return run;
}

const diamond = stages({
  implement: {},
  security: { taskType: "review" },
  review: { taskType: "review", dependsOnStages: ["implement"] },
  verify: { taskType: "verify", dependsOnStages: ["security", "review"] },
});
const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "it cannot be done" } };
const retryable = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "try again" } };

describe("the life of a stage", () => {
  it("[PIP-02] goes from PENDING through READY and DISPATCHED to COMPLETED", () => {
    const run = tell({ stages: stages({ a: {}, b: { taskType: "review" } }) });
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
    const run = tell({ stages: stages({ a: { handoffPolicy: { retry: { maxAttempts: 2 } } } }) });
    expect(run.answer("a", retryable)).toEqual([
      "a: result received",
      "a: tried again, waits for the backoff",
    ]);
    run.ring("retry");
    expect(run.answer("a", retryable)).toEqual([
      "a: result received",
      "a: failed, try again",
      'asks a person about FAILURE: stage "a" failed: try again',
      'pipeline: paused, stage "a" failed: try again',
    ]);
  });

  it("[PIP-09] retries of all stages together stay within max_total_retries", () => {
    const run = tell({ stages: stages({ a: {} }), policy: { maxTotalRetries: 1 } });
    run.answer("a", retryable);
    run.ring("retry");
    expect(run.answer("a", retryable).at(1)).toBe("a: failed, try again");
  });

  it("[PIP-05] NON_RETRYABLE_FAILURE leaves the rest to the failure strategy: PAUSE", () => {
    const run = tell();
    expect(run.answer("a", failing).at(-1)).toBe('pipeline: paused, stage "a" failed: it cannot be done');
    expect(run.give({ type: "resume", reason: "mended", by: ada })).toEqual([
      "pipeline: resumed",
      "answered: resumed",
      "a: sent back",
      "a: attempt 2 to dev-1",
    ]);
    expect(run.answer("a").at(-1)).toBe("pipeline: completed");
  });

  it("[PIP-09] failure strategy FAIL_FAST ends the pipeline and cancels what runs", () => {
    const policy = { failureStrategy: FailureStrategy.FAIL_FAST };
    const run = tell({ stages: stages({ a: {}, b: { dependsOnStages: [] } }), policy });
    expect(run.answer("a", failing)).toEqual([
      "a: result received",
      "a: failed, it cannot be done",
      'pipeline: failed, stage "a" failed: it cannot be done',
    ]);
    expect(run.commands.findLast(({ type }) => type === "cancel")).toMatchObject({ dispatchId: "p/b/1" });
    expect(run.give({ type: "resume", reason: "please", by: ada })[0]).toContain("refused: cannot resume");
  });

  it("[PIP-09] failure strategy SKIP_FAILED skips what is not required, and what depends on it", () => {
    const policy = { failureStrategy: FailureStrategy.SKIP_FAILED };
    const optional = { required: false };
    const run = tell({ stages: stages({ a: optional, b: optional, c: { dependsOnStages: [] } }), policy });
    expect(run.answer("a", failing)).toEqual([
      "a: result received",
      "a: skipped, it cannot be done",
      'b: left out, it depends on "a", which was skipped',
    ]);
    expect(run.answer("c").at(-1)).toBe("pipeline: completed");
  });

  it("[PIP-09] failure strategy SKIP_FAILED does not skip what is required: it pauses", () => {
    const run = tell({ policy: { failureStrategy: FailureStrategy.SKIP_FAILED } });
    expect(run.answer("a", failing).at(-1)).toContain("pipeline: paused");
  });

  it("[PIP-09] require_all_stages makes every stage required", () => {
    const policy = { failureStrategy: FailureStrategy.SKIP_FAILED, requireAllStages: true };
    const run = tell({ stages: stages({ a: { required: false } }), policy });
    expect(run.answer("a", failing).at(-1)).toContain("pipeline: paused");
  });

  it("a required stage that depends on a skipped one stops the pipeline instead of hanging", () => {
    const policy = { failureStrategy: FailureStrategy.SKIP_FAILED };
    const run = tell({ stages: stages({ a: { required: false }, b: {} }), policy });
    expect(run.answer("a", failing).at(-1)).toBe(
      'pipeline: paused, stage "b" cannot run: it depends on "a", which was skipped',
    );
  });

  it("[PIP-05] POLICY_BLOCKED pauses and asks a person", () => {
    const run = tell();
    expect(
      run.answer("a", { status: { outcome: Outcome.POLICY_BLOCKED, failureReason: "forbidden" } }),
    ).toEqual([
      "a: result received",
      "a: failed, forbidden",
      "asks a person about POLICY: forbidden",
      "pipeline: paused, forbidden",
    ]);
  });

  it("[PIP-05] PARTIAL goes to review: what is blocked is tried again with what would help", () => {
    const run = tell();
    const blockers = [{ description: "no database", suggestedResolution: "start it" }];
    run.answer("a", { status: { outcome: Outcome.PARTIAL }, blockers });
    run.ring("retry");
    expect(run.envelope("a").reviewFeedback).toMatchObject({
      rejectedAttempt: 1,
      failedChecks: [{ checkName: "completeness", reason: "done in part: no database" }],
      instructions: ["start it"],
    });
    expect(run.answer("a", { status: { outcome: Outcome.PARTIAL } }).at(-1)).toBe("pipeline: completed");
  });
});

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
    const run = tell({ stages: stages({ a: {} }), ...critical });
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
    const run = tell({ stages: diamond, ...critical, task: {} }, { review: { normal: "person" } });
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
    const run = tell({ stages: diamond }, { review: { normal: "person" } });
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
    const run = tell({ ...critical, policy: { maxRejections: 1 } });
    run.answer("a");
    run.give(verdict("a"));
    run.answer("a");
    expect(run.give({ ...verdict("a"), dispatchId: "p/a/2" })[1]).toBe(
      "a: failed, rejected once more than the 1 times that are allowed: it guesses",
    );
  });

  it("a review that fails the stage leaves the rest to the failure strategy", () => {
    const run = tell(critical);
    run.answer("a");
    const lines = run.give({ ...verdict("a"), verdict: { kind: "fail" } });
    expect(lines[1]).toBe("a: failed, it guesses");
  });

  it("refuses the verdict of the author, of an agent where a person is wanted, and on another attempt", () => {
    const run = tell(critical);
    run.answer("a");
    const by = { kind: "human", id: "dev-1" } as const;
    expect(run.give({ ...verdict("a"), by })).toEqual(["refused: the author of the work cannot review it"]);
    expect(run.give({ ...verdict("a"), by: { kind: "agent", id: "qa-1" } })).toEqual([
      "refused: this review is a person's",
    ]);
    expect(run.give({ ...verdict("a"), dispatchId: "p/a/9" })[0]).toContain(
      "does not wait for a review of p/a/9",
    );
    expect(run.give(verdict("a", "nowhere"))).toEqual(['refused: there is no stage "nowhere"']);
  });

  it("[SAC-11] retry_with_instruction talks back to the stage before", () => {
    const run = tell({ stages: stages({ a: {}, b: { taskType: "review" } }) });
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

const approve = (stageId: string) =>
  ({
    type: "review",
    stageId,
    dispatchId: `p/${stageId}/1`,
    verdict: { kind: "approve" },
    reason: "good",
    by: ada,
  }) as const;

describe("the life of a pipeline", () => {
  it("[PIP-03] runs the branches of a diamond side by side", () => {
    const run = tell({ stages: diamond });
    expect(run.answer("implement").slice(2)).toEqual([
      "security: ready",
      "review: ready",
      "security: attempt 1 to qa-1",
      "review: attempt 1 to qa-1",
    ]);
    run.answer("review");
    expect(run.status("verify")).toBe("PENDING");
    expect(run.answer("security").at(-1)).toBe("verify: attempt 1 to qa-1");
  });

  it("[PIP-03] runs them one after another in serial mode", () => {
    const run = tell({ stages: diamond, policy: { serial: true } });
    expect(run.answer("implement").slice(2)).toEqual([
      "security: ready",
      "review: ready",
      "security: attempt 1 to qa-1",
    ]);
    expect(run.answer("security").at(-1)).toBe("review: attempt 1 to qa-1");
    expect(run.answer("review").at(-1)).toBe("verify: attempt 1 to qa-1");
  });

  it("[PIP-10] pauses, takes what comes back, hands out nothing, and goes on", () => {
    const run = tell({ stages: stages({ a: {}, b: {} }) });
    expect(run.give({ type: "pause", reason: "lunch", by: ada })).toEqual(["pipeline: paused, lunch"]);
    expect(run.answer("a")).toEqual(["a: result received", "a: completed", "b: ready"]);
    expect(run.give({ type: "resume", reason: "back", by: ada })).toEqual([
      "pipeline: resumed",
      "b: attempt 1 to dev-1",
    ]);
    expect(run.give({ type: "resume", reason: "again", by: ada })).toEqual([
      "refused: cannot resume: only a paused pipeline can be resumed",
    ]);
    const paused = run.audit.find(({ action }) => action === "paused");
    expect([paused?.actor?.id, paused?.rationale]).toEqual(["ada", "lunch"]);
  });

  it("[PIP-10] completes on resume when everything was done while it was paused", () => {
    const run = tell();
    run.give({ type: "pause", reason: "lunch", by: ada });
    run.answer("a");
    expect(run.give({ type: "resume", reason: "back", by: ada })).toEqual([
      "pipeline: resumed",
      "pipeline: completed",
    ]);
  });

  it("[PIP-10] aborts by way of PAUSED, and cancels what runs", () => {
    const run = tell();
    expect(run.give({ type: "abort", reason: "no longer needed", by: ada })).toEqual([
      "pipeline: paused, no longer needed",
      "pipeline: aborted, no longer needed",
    ]);
    expect(run.commands.at(-1)).toMatchObject({ type: "tell-fleet", news: { outcome: "cancelled" } });
    expect(run.give({ type: "abort", reason: "again", by: ada })).toEqual([
      "refused: cannot abort: it has ended already",
    ]);
    expect(run.audited().slice(-3)).toEqual(["PIPELINE_PAUSED", "DISPATCH_CANCELLED a", "PIPELINE_ABORTED"]);
  });

  it("[PIP-09] a hard deadline pauses and asks; what runs goes on", () => {
    const run = tell({ policy: { pipelineDeadline: { seconds: 3600n } } });
    expect(run.give({ type: "timer", timerId: "deadline" })).toEqual([]);
    run.pass(1000);
    expect(run.envelope("a").execution?.timeout?.seconds).toBe(1800n);
    expect(run.ring("deadline")).toEqual([
      "pipeline: deadline-passed",
      "asks a person about DEADLINE: the pipeline has not completed within 3600000 ms",
      "pipeline: paused, the deadline has passed",
    ]);
    expect(run.give({ type: "timer", timerId: "deadline" })).toEqual([]);
    expect(run.answer("a").at(-1)).toBe("a: completed");
  });

  it("[PIP-09] a soft deadline only says so", () => {
    const run = tell({ policy: { pipelineDeadline: { seconds: 60n }, softDeadline: true } });
    expect(run.ring("deadline").at(-1)).toContain("asks a person about DEADLINE");
    expect(run.state?.life.status).toBe("RUNNING");
  });

  it("[PIP-10] a person takes it back to a stage that is done", () => {
    const run = tell({ stages: stages({ a: {}, b: {}, c: {} }) });
    run.answer("a");
    run.answer("b");
    const rewind = {
      type: "rewind",
      stageId: "a",
      instructions: ["start over"],
      reason: "wrong base",
      by: ada,
    } as const;
    expect(run.give(rewind)).toEqual(["a: sent back, resets b, c", "a: attempt 2 to dev-1"]);
    expect(run.give({ ...rewind, stageId: "b" })[0]).toContain("there is nothing to take back");
  });

  it("a skipped stage can be taken back", () => {
    const policy = { failureStrategy: FailureStrategy.SKIP_FAILED };
    const run = tell({
      stages: stages({ a: { required: false }, b: { required: false }, c: { dependsOnStages: [] } }),
      policy,
    });
    run.answer("a", failing);
    run.give({ type: "rewind", stageId: "a", instructions: [], reason: "try once more", by: ada });
    expect([run.status("a"), run.status("b")]).toEqual(["DISPATCHED", "PENDING"]);
  });

  it("a stage that is ready or failed is reset when what it depends on is taken back", () => {
    const run = tell({ stages: stages({ a: {}, b: { taskType: "dance" } }) });
    run.answer("a");
    expect(run.status("b")).toBe("READY");
    run.give({ type: "rewind", stageId: "a", instructions: [], reason: "wrong", by: ada });
    expect(run.status("b")).toBe("PENDING");
    expect(run.openQuestions()).toEqual([]);
    const failed = tell({ stages: stages({ a: {}, b: {} }) });
    failed.answer("a");
    failed.answer("b", failing);
    failed.give({ type: "rewind", stageId: "a", instructions: [], reason: "wrong", by: ada });
    expect(failed.status("b")).toBe("PENDING");
  });

  it("[PIP-12] sums up artifacts, decisions, risks, timing and what was spent", () => {
    const run = tell({ stages: stages({ a: {}, b: {} }) });
    run.pass(5_000);
    run.answer("a", {
      artifacts: [{ path: "x.ts", digest: "1" }],
      contextOut: { decisionsMade: [{ decisionId: "d1" }], risksIdentified: ["slow"] },
      usage: { inputTokens: 10n, outputTokens: 5n, costMicroUsd: 7n, steps: 2 },
    });
    run.pass(5_000);
    run.answer("b", {
      artifacts: [{ path: "x.ts", digest: "2" }],
      contextOut: { risksIdentified: ["slow", "new"] },
    });
    const life = run.state?.life;
    expect(life?.status === "COMPLETED" && life.summary).toMatchObject({
      artifacts: [{ path: "x.ts", digest: "2" }],
      decisions: [{ decisionId: "d1" }],
      risks: ["slow", "new"],
      timing: { duration: { seconds: 10n } },
      stagesCompleted: 2,
      usage: { inputTokens: 10n, outputTokens: 5n, costMicroUsd: 7n, steps: 2 },
    });
  });

  it("takes the same submission twice as one", () => {
    const run = tell();
    const { state, records } = run;
    const [created] = records;
    if (created?.type !== "created") throw new Error("the first record is the creation");
    const { type: _, atMs: __, ...content } = created;
    expect(run.give({ type: "submit", ...content, by: ada })).toEqual([]);
    expect(run.state).toBe(state);
  });
});

afterAll(() => {
  const moves = runs.map(({ records }) => movesOf(records));
  const stageMoves = new Set(moves.flatMap(({ stages: found }) => [...found]));
  const pipelineMoves = new Set(moves.flatMap(({ pipeline }) => [...pipeline]));
  // [PIP-02] Every arrow of the tables is reached by a story above, and no other exists.
  expect([...stageMoves].sort()).toEqual([...arrowsOf(stageTransitions)].sort());
  expect([...pipelineMoves].sort()).toEqual(
    [...arrowsOf(pipelineTransitions)]
      .filter((arrow) => arrow !== "PENDING → RUNNING" || pipelineMoves.has(arrow))
      .sort(),
  );
});
