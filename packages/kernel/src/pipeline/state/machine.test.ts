import { FailureStrategy, Outcome, ResponseStatus, RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import { arrowsOf, movesOf } from "../../../testing/transitions.ts";
import { pipelineTransitions, stageTransitions } from "./machine.ts";

const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } };
const retryable = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" } };
const ending = { response: { status: ResponseStatus.COMPLETED, message: "enough" } };
const optional = { required: false };
const skipFailed = { failureStrategy: FailureStrategy.SKIP_FAILED };

/** The shortest story for each arrow; what came before it is in its name. */
const stageStories: Readonly<Record<string, () => Run>> = {
  "PENDING → READY": () => new Run(),
  "PENDING → SKIPPED": () => {
    const run = new Run({ stages: stages({ a: {}, b: { ...optional, condition: "false" } }) });
    run.answer("a");
    return run;
  },
  "READY → DISPATCHED": () => new Run(),
  "READY → PENDING": () => {
    const run = new Run({ stages: stages({ a: {}, b: { taskType: "dance" } }) });
    run.answer("a");
    run.sendBack("a");
    return run;
  },
  "READY → SKIPPED": () => {
    const run = new Run({
      stages: stages({ a: {}, b: { ...optional, taskType: "dance", dependsOnStages: [] } }),
    });
    run.answer("a", ending);
    return run;
  },
  "DISPATCHED → COMPLETED": () => {
    const run = new Run();
    run.answer("a");
    return run;
  },
  "DISPATCHED → DISPATCHED": () => {
    const run = new Run();
    run.answer("a", retryable);
    return run;
  },
  "DISPATCHED → READY": () => {
    const run = new Run({ task: { riskTier: RiskTier.CRITICAL } });
    run.sendBack("a");
    return run;
  },
  "DISPATCHED → PENDING": () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    run.answer("a");
    run.sendBack("a");
    return run;
  },
  "DISPATCHED → FAILED": () => {
    const run = new Run();
    run.answer("a", failing);
    return run;
  },
  "DISPATCHED → SKIPPED": () => {
    const run = new Run({ stages: stages({ a: optional, b: { dependsOnStages: [] } }), policy: skipFailed });
    run.answer("a", failing);
    return run;
  },
  "COMPLETED → READY": () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    run.answer("a");
    run.sendBack("a");
    return run;
  },
  "COMPLETED → PENDING": () => {
    const run = new Run({ stages: stages({ a: {}, b: {}, c: {} }) });
    run.answer("a");
    run.answer("b");
    run.sendBack("a");
    return run;
  },
  "FAILED → READY": () => {
    const run = new Run();
    run.answer("a", failing);
    run.give({ type: "resume", reason: "fixed", by: ada });
    return run;
  },
  "FAILED → PENDING": () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    run.answer("a");
    run.answer("b", failing);
    run.sendBack("a");
    return run;
  },
  "SKIPPED → READY": () => {
    const run = new Run({ stages: stages({ a: optional, b: { dependsOnStages: [] } }), policy: skipFailed });
    run.answer("a", failing);
    run.sendBack("a");
    return run;
  },
  "SKIPPED → PENDING": () => {
    const given = stages({ a: optional, b: optional, c: { dependsOnStages: [] } });
    const run = new Run({ stages: given, policy: skipFailed });
    run.answer("a", failing);
    run.sendBack("a");
    return run;
  },
};

const pipelineStories: Readonly<Record<string, () => Run>> = {
  "PENDING → RUNNING": () => new Run(),
  "RUNNING → COMPLETED": () => {
    const run = new Run();
    run.answer("a");
    return run;
  },
  "RUNNING → PAUSED": () => {
    const run = new Run();
    run.give({ type: "pause", reason: "lunch", by: ada });
    return run;
  },
  "RUNNING → FAILED": () => {
    const run = new Run({ policy: { failureStrategy: FailureStrategy.FAIL_FAST } });
    run.answer("a", failing);
    return run;
  },
  "PAUSED → RUNNING": () => {
    const run = new Run();
    run.give({ type: "pause", reason: "lunch", by: ada });
    run.give({ type: "resume", reason: "back", by: ada });
    return run;
  },
  "PAUSED → ABORTED": () => {
    const run = new Run();
    run.give({ type: "abort", reason: "enough", by: ada });
    return run;
  },
};

describe("the tables", () => {
  it("[PIP-02] have a story for every arrow, and no story goes where there is none", () => {
    expect(Object.keys(stageStories).sort()).toEqual([...arrowsOf(stageTransitions)].sort());
    expect(Object.keys(pipelineStories).sort()).toEqual([...arrowsOf(pipelineTransitions)].sort());
  });

  it.each(Object.entries(stageStories))("[PIP-02] stage: %s", (arrow, story) => {
    expect([...movesOf(story().records).stages]).toContain(arrow);
  });

  it.each(Object.entries(pipelineStories))("[PIP-02] pipeline: %s", (arrow, story) => {
    expect([...movesOf(story().records).pipeline]).toContain(arrow);
  });
});
