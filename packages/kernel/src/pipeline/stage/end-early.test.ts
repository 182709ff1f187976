import { FailureStrategy, Outcome, ResponseStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";

const optional = { required: false };
const beside = { ...optional, dependsOnStages: [] };
const ending = { response: { status: ResponseStatus.COMPLETED, message: "enough" } };
const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } };
const leftOut = (stage: string, by = "a") => `${stage}: left out, "${by}" has completed the workflow`;

describe("an answer that completes the workflow", () => {
  it("[SAC-01] ends it at that node, and what has not begun is left out", () => {
    const run = new Run({ stages: stages({ a: {}, b: optional, c: optional }) });
    expect(run.answer("a", ending)).toEqual([
      "a: result received",
      "a: completed",
      "pipeline: ended-early",
      leftOut("b"),
      leftOut("c"),
      "pipeline: completed",
    ]);
  });

  it("[SAC-01] stops who works elsewhere, and takes back what people were asked", () => {
    const given = stages({ a: {}, busy: beside, waiting: { ...beside, taskType: "dance" }, asking: beside });
    const run = new Run({ stages: given });
    run.answer("asking", { response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "Which?" } });
    expect(run.openQuestions()).toHaveLength(2);
    expect(run.answer("a", ending).slice(2)).toEqual([
      "pipeline: ended-early",
      leftOut("busy"),
      'answered: "a" has completed the workflow',
      leftOut("waiting"),
      'answered: "a" has completed the workflow',
      leftOut("asking"),
      "pipeline: completed",
    ]);
    const cancels = run.commands.filter(({ type }) => type === "cancel");
    expect(cancels).toMatchObject([
      { dispatchId: "p/busy/1", explanation: '"a" has completed the workflow' },
    ]);
    expect(run.audited()).toContain("DISPATCH_CANCELLED busy");
  });

  it("[SAC-01] goes on with what is required and what that needs, and with nothing else", () => {
    const given = stages({
      a: {},
      needed: beside,
      other: beside,
      after: { ...optional, dependsOnStages: ["a"] },
      must: { dependsOnStages: ["a", "needed"] },
      last: { ...optional, dependsOnStages: ["must"] },
    });
    const run = new Run({ stages: given });
    expect(run.answer("a", ending).slice(2)).toEqual([
      "pipeline: ended-early",
      leftOut("other"),
      leftOut("after"),
      leftOut("last"),
    ]);
    expect(run.answer("needed").at(-1)).toBe("must: attempt 1 to dev-1");
    expect(run.answer("must").at(-1)).toBe("pipeline: completed");
  });

  it("[SAC-01] revives nothing when the pipeline is paused and resumed, or another stage is sent back", () => {
    const given = stages({ a: {}, other: beside, must: { dependsOnStages: [] }, last: optional });
    const run = new Run({ stages: given });
    run.answer("a", ending);
    run.give({ type: "pause", reason: "lunch", by: ada });
    run.give({ type: "resume", reason: "back", by: ada });
    expect(run.sendBack("must")).toEqual([
      "must: sent back, resets last",
      leftOut("last"),
      "must: attempt 2 to dev-1",
    ]);
    expect([run.status("other"), run.status("last")]).toEqual(["SKIPPED", "SKIPPED"]);
    expect(run.answer("must").at(-1)).toBe("pipeline: completed");
  });

  it("[SAC-01] [PIP-08] is taken back with the stage that gave it: what was left out for it may run", () => {
    const given = stages({ first: {}, a: {}, other: beside, must: { dependsOnStages: [] } });
    const reported = (target: string) => {
      const run = new Run({ stages: given });
      run.answer("first");
      run.answer("a", ending);
      expect(run.status("other")).toBe("SKIPPED");
      return { run, lines: run.sendBack(target) };
    };
    expect(reported("a").lines).toEqual([
      "a: sent back",
      "pipeline: end-withdrawn",
      "other: ready",
      "a: attempt 2 to dev-1",
      "other: attempt 2 to dev-1",
    ]);
    const { run } = reported("first");
    expect([run.status("a"), run.status("other")]).toEqual(["PENDING", "DISPATCHED"]);
    run.answer("first");
    run.answer("a");
    run.answer("must");
    expect(run.answer("other").at(-1)).toBe("pipeline: completed");
  });

  it("[SAC-01] stands while any stage that gave it does", () => {
    const given = stages({
      a: {},
      b: { dependsOnStages: [] },
      other: beside,
      must: { dependsOnStages: [] },
    });
    const run = new Run({ stages: given });
    run.answer("a", ending);
    run.answer("b", ending);
    expect(run.sendBack("a")).toEqual(["a: sent back", "a: attempt 2 to dev-1"]);
    expect(run.status("other")).toBe("SKIPPED");
    expect(run.sendBack("b")).toContain("pipeline: end-withdrawn");
  });

  it("[SAC-01] [PIP-09] waits for a person where a stage has failed: to resume goes on without that stage", () => {
    const given = stages({ a: {}, other: beside });
    const run = new Run({ stages: given, policy: { failureStrategy: FailureStrategy.PAUSE } });
    run.answer("other", failing);
    run.answer("a", ending);
    expect([run.state?.life.status, run.openQuestions()]).toEqual(["PAUSED", ['stage "other" failed: no']]);
    expect(run.give({ type: "resume", reason: "enough", by: ada })).toEqual([
      "pipeline: resumed",
      "answered: resumed",
      "other: sent back",
      leftOut("other"),
      "pipeline: completed",
    ]);
  });
});
