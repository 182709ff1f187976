import { FailureStrategy, Outcome, ResponseStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../testing/pipelines.ts";
import { ada, Run } from "../../testing/run.ts";
import { startMs } from "../../testing/world.ts";

const retryable = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" } };
const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } };
const deadline = { pipelineDeadline: { seconds: 7200n } };

/** What happens to timers from here on. */
function watch(run: Run): () => readonly string[] {
  const from = run.commands.length;
  return () =>
    run.commands
      .slice(from)
      .flatMap((one) =>
        one.type === "set-timer" || one.type === "clear-timer" ? [`${one.type} ${one.timerId}`] : [],
      );
}

describe("a timer that fires early", () => {
  it("[PIP-09] is set again when it is the deadline", () => {
    const run = new Run({ policy: deadline });
    expect(run.give({ type: "timer", timerId: "deadline" })).toEqual([]);
    expect(run.commands.at(-1)).toEqual({
      type: "set-timer",
      timerId: "deadline",
      atMs: startMs + 7_200_000,
    });
    expect(run.fireTimer("deadline").at(-1)).toBe("pipeline: paused, the deadline has passed");
  });

  it("[DIS-13] is set again when it is the end of an attempt", () => {
    const run = new Run();
    const { timeoutAtMs } = run.records.find((record) => record.type === "dispatched") ?? {};
    const seen = watch(run);
    expect(run.give({ type: "timer", timerId: "timeout p/a/1" })).toEqual([]);
    expect(seen()).toEqual(["set-timer timeout p/a/1"]);
    expect(run.commands.at(-1)).toEqual({ type: "set-timer", timerId: "timeout p/a/1", atMs: timeoutAtMs });
    expect(run.fireTimer("timeout")).toEqual(["a: tried again, waits for the backoff"]);
  });

  it("[DIS-12] is set again when it is the end of a backoff", () => {
    const run = new Run();
    run.answer("a", retryable);
    const set = run.commands.at(-1);
    const seen = watch(run);
    expect(run.give({ type: "timer", timerId: "retry 2 a" })).toEqual([]);
    expect(seen()).toEqual(["set-timer retry 2 a"]);
    expect(run.commands.at(-1)).toEqual(set);
    expect(run.fireTimer("retry").at(-1)).toBe("a: attempt 2 to dev-1");
  });

  it("[PIP-02] is not set again for what is over, nor after the end", () => {
    const run = new Run({ policy: deadline });
    run.answer("a");
    const seen = watch(run);
    for (const timerId of ["timeout p/a/1", "retry 2 a", "deadline", "tea"])
      run.give({ type: "timer", timerId });
    expect(seen()).toEqual([]);
  });
});

describe("a timer that means nothing any more", () => {
  it("[DIS-13] is cleared when the attempt has its answer, valid or not", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    const seen = watch(run);
    run.answer("a");
    run.answer("b", { taskId: "another" });
    expect(seen()).toEqual([
      "clear-timer timeout p/a/1",
      "set-timer timeout p/b/1",
      "clear-timer timeout p/b/1",
      "set-timer retry 2 b",
    ]);
  });

  it.each([
    ["was never delivered", { type: "not-delivered", dispatchId: "p/a/1", reason: "refused" }],
    ["has lost its agent", { type: "agent-lost", dispatchId: "p/a/1", reason: "gone" }],
  ] as const)("[DIS-13] is cleared when the attempt %s", (_, input) => {
    const run = new Run();
    const seen = watch(run);
    run.give(input);
    expect(seen()).toEqual(["clear-timer timeout p/a/1", "set-timer retry 2 a"]);
  });

  it("[DIS-13] is not cleared when it has fired itself", () => {
    const run = new Run({ policy: deadline });
    const seen = watch(run);
    run.fireTimer("timeout");
    run.fireTimer("retry");
    run.fireTimer("deadline");
    expect(seen()).toEqual(["set-timer retry 2 a", "set-timer timeout p/a/2"]);
  });

  it("[PIP-09] is cleared when the deadline is seen to have passed at another's ring", () => {
    const run = new Run({ policy: { pipelineDeadline: { seconds: 600n } } });
    const seen = watch(run);
    run.fireTimer("timeout");
    expect(seen()).toEqual(["clear-timer deadline", "set-timer retry 2 a"]);
  });

  it("[PIP-08] is cleared when its stage is reset during the backoff", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    run.answer("a");
    run.answer("b", retryable);
    const seen = watch(run);
    run.sendBack("a");
    expect(seen()).toEqual(["clear-timer retry 2 b", "set-timer timeout p/a/2"]);
  });

  it("[SAC-01] is cleared for all that is left out when the workflow ends elsewhere", () => {
    const beside = { required: false, dependsOnStages: [] };
    const run = new Run({ stages: stages({ a: {}, b: beside, c: beside }), policy: deadline });
    run.answer("c", retryable);
    const seen = watch(run);
    run.answer("a", { response: { status: ResponseStatus.COMPLETED } });
    expect(seen()).toEqual([
      "clear-timer timeout p/a/1",
      "clear-timer timeout p/b/1",
      "clear-timer retry 2 c",
      "clear-timer deadline",
    ]);
  });

  it("[PIP-10] is cleared when a person aborts the pipeline", () => {
    const run = new Run({ stages: stages({ a: {}, b: { dependsOnStages: [] } }), policy: deadline });
    run.answer("b", retryable);
    const seen = watch(run);
    run.give({ type: "abort", reason: "enough", by: ada });
    expect(seen()).toEqual(["clear-timer timeout p/a/1", "clear-timer retry 2 b", "clear-timer deadline"]);
  });

  it("[PIP-09] is cleared when the pipeline fails", () => {
    const policy = { ...deadline, failureStrategy: FailureStrategy.FAIL_FAST };
    const run = new Run({ stages: stages({ a: {}, b: { dependsOnStages: [] } }), policy });
    const seen = watch(run);
    run.answer("b", failing);
    expect(seen()).toEqual([
      "clear-timer timeout p/b/1",
      "clear-timer timeout p/a/1",
      "clear-timer deadline",
    ]);
  });
});
