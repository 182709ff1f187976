import { FailureStrategy, Outcome } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";

const diamond = stages({
  implement: {},
  security: { taskType: "review" },
  review: { taskType: "review", dependsOnStages: ["implement"] },
  verify: { taskType: "verify", dependsOnStages: ["security", "review"] },
});
const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "it cannot be done" } };

describe("the life of a pipeline", () => {
  it("[PIP-03] runs the branches of a diamond side by side", () => {
    const run = new Run({ stages: diamond });
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
    const run = new Run({ stages: diamond, policy: { serial: true } });
    expect(run.answer("implement").slice(2)).toEqual([
      "security: ready",
      "review: ready",
      "security: attempt 1 to qa-1",
    ]);
    expect(run.answer("security").at(-1)).toBe("review: attempt 1 to qa-1");
    expect(run.answer("review").at(-1)).toBe("verify: attempt 1 to qa-1");
  });

  it("[PIP-10] pauses, takes what comes back, hands out nothing, and goes on", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    expect(run.give({ type: "pause", reason: "lunch", by: ada })).toEqual(["pipeline: paused, lunch"]);
    expect(run.answer("a")).toEqual(["a: result received", "a: completed", "b: ready"]);
    expect(run.give({ type: "resume", reason: "back", by: ada })).toEqual([
      "pipeline: resumed",
      "b: attempt 1 to dev-1",
    ]);
    expect(run.give({ type: "resume", reason: "again", by: ada })).toEqual([
      "refused: cannot resume: only a paused run can be resumed",
    ]);
    const paused = run.audit.find(({ action }) => action === "paused");
    expect([paused?.actor?.id, paused?.rationale]).toEqual(["ada", "lunch"]);
  });

  it("[PIP-10] completes on resume when everything was done while it was paused", () => {
    const run = new Run();
    run.give({ type: "pause", reason: "lunch", by: ada });
    run.answer("a");
    expect(run.give({ type: "resume", reason: "back", by: ada })).toEqual([
      "pipeline: resumed",
      "pipeline: completed",
    ]);
  });

  it("[PIP-10] aborts by way of PAUSED, and cancels what runs", () => {
    const run = new Run();
    expect(run.give({ type: "abort", reason: "no longer needed", by: ada })).toEqual([
      "pipeline: paused, no longer needed",
      "pipeline: aborted, no longer needed",
    ]);
    expect(run.commands.at(-1)).toMatchObject({ type: "notify-fleet", report: { outcome: "cancelled" } });
    expect(run.give({ type: "abort", reason: "again", by: ada })).toEqual([
      "refused: cannot abort: the run has ended (ABORTED)",
    ]);
    expect(run.audited().slice(-3)).toEqual(["PIPELINE_PAUSED", "DISPATCH_CANCELLED a", "PIPELINE_ABORTED"]);
  });

  it("[PIP-09] a hard deadline pauses and asks; what runs goes on", () => {
    const run = new Run({ policy: { pipelineDeadline: { seconds: 3600n } } });
    expect(run.give({ type: "timer", timerId: "deadline" })).toEqual([]);
    run.pass(1000);
    expect(run.envelope("a").execution?.timeout?.seconds).toBe(1800n);
    expect(run.fireTimer("deadline")).toEqual([
      "pipeline: deadline-passed",
      "asks a person about DEADLINE: the run has not completed within 3600000 ms",
      "pipeline: paused, the deadline has passed",
    ]);
    expect(run.give({ type: "timer", timerId: "deadline" })).toEqual([]);
    expect(run.answer("a").at(-1)).toBe("a: completed");
  });

  it("[PIP-09] a soft deadline only says so", () => {
    const run = new Run({ policy: { pipelineDeadline: { seconds: 60n }, softDeadline: true } });
    expect(run.fireTimer("deadline").at(-1)).toContain("asks a person about DEADLINE");
    expect(run.state?.life.status).toBe("RUNNING");
  });

  it("a skipped stage can be taken back", () => {
    const policy = { failureStrategy: FailureStrategy.SKIP_FAILED };
    const run = new Run({
      stages: stages({ a: { required: false }, b: { required: false }, c: { dependsOnStages: [] } }),
      policy,
    });
    run.answer("a", failing);
    run.sendBack("a");
    expect([run.status("a"), run.status("b")]).toEqual(["DISPATCHED", "PENDING"]);
  });

  it("a stage that is ready or failed is reset when what it depends on is taken back", () => {
    const run = new Run({ stages: stages({ a: {}, b: { taskType: "dance" } }) });
    run.answer("a");
    expect(run.status("b")).toBe("READY");
    run.sendBack("a");
    expect(run.status("b")).toBe("PENDING");
    expect(run.openQuestions()).toEqual([]);
    const failed = new Run({ stages: stages({ a: {}, b: {} }) });
    failed.answer("a");
    failed.answer("b", failing);
    failed.sendBack("a");
    expect(failed.status("b")).toBe("PENDING");
  });

  it("[PIP-12] sums up artifacts, decisions, risks, timing and what was spent", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
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
    const run = new Run();
    const { state, records } = run;
    const [created] = records;
    if (created?.type !== "created") throw new Error("the first record is the creation");
    const { type: _, atMs: __, ...content } = created;
    expect(run.give({ type: "submit", ...content, by: ada })).toEqual([]);
    expect(run.state).toBe(state);
  });
});
