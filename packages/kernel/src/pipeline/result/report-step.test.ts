import { Outcome, ResponseStatus, type Usage, UsageSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import { type ReportedStep, stepLimits, stepsOf } from "../state/steps.ts";

const digest = `sha256:${"0".repeat(64)}`;

function usage(inputTokens: bigint, costMicroUsd = 0n): Usage {
  return create(UsageSchema, { inputTokens, costMicroUsd });
}

function completed(name: string, more: Partial<ReportedStep> = {}): ReportedStep {
  return {
    name,
    argumentsDigest: digest,
    occurrence: 1,
    state: "COMPLETED",
    bytes: 4,
    usage: undefined,
    ...more,
  };
}

function report(run: Run, step: ReportedStep, stage = "a"): readonly string[] {
  const { dispatchId = "" } = run.envelope(stage).execution ?? {};
  return run.give({ type: "step", dispatchId, step });
}

function known(run: Run, stage = 0): readonly string[] {
  if (!run.state) throw new Error("no run");
  return [...stepsOf(run.state, stage).known.keys()].map((key) => key.slice(key.lastIndexOf("/") + 1));
}

const lost = (run: Run) => {
  const { dispatchId = "" } = run.envelope("a").execution ?? {};
  run.give({ type: "agent-lost", dispatchId, reason: "gone" });
  run.fireTimer("retry");
};

describe("a step that an agent reports", () => {
  it("[PIP-11] is given to the next attempt when the agent was lost, failed retryably or asked", () => {
    const run = new Run();
    expect(report(run, completed("one"))).toEqual(["a: step 1 completed"]);
    expect(run.envelope("a").steps).toBeUndefined();
    lost(run);
    expect(run.envelope("a").steps).toMatchObject({ count: 1, steps: [] });
    report(run, completed("two"));
    run.answer("a", { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" } });
    run.fireTimer("retry");
    report(run, completed("three"));
    run.answer("a", { response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "Which one?" } });
    const [escalationId = ""] = run.state?.escalations.keys() ?? [];
    run.give({ type: "resolve", escalationId, resolution: "that one", by: ada });
    expect(run.envelope("a").steps?.count).toBe(3);
    const reporters =
      run.state && Array.from(stepsOf(run.state, 0).known.values(), (step) => step.dispatchId);
    expect(reporters?.map((id) => id.slice(-1))).toEqual(["1", "2", "3"]);
  });

  it("[PIP-11] is given to the attempt after a person resumes a stage that gave up", () => {
    const run = new Run({ policy: { noRetries: true } });
    report(run, completed("one"));
    const { dispatchId = "" } = run.envelope("a").execution ?? {};
    run.give({ type: "agent-lost", dispatchId, reason: "gone" });
    run.give({ type: "resume", reason: "fixed", by: ada });
    expect(run.envelope("a").steps?.count).toBe(1);
  });

  it("[PIP-11] is not given to an attempt after a rejection, an invalid result or a rewind", () => {
    const rejected = new Run();
    report(rejected, completed("one"));
    rejected.sendBack("a");
    expect(rejected.envelope("a").steps).toBeUndefined();

    const invalid = new Run();
    report(invalid, completed("one"));
    invalid.answer("a", { taskId: "another" });
    invalid.fireTimer("retry");
    expect(invalid.envelope("a").steps).toBeUndefined();
    expect(known(invalid)).toEqual([]);
  });

  it("[PIP-11] changes nothing when its attempt is over", () => {
    const run = new Run();
    const { dispatchId = "" } = run.envelope("a").execution ?? {};
    lost(run);
    expect(run.give({ type: "step", dispatchId, step: completed("late") })[0]).toMatch(
      "refused: the attempt",
    );
    expect(run.problem?.code).toBe("BATON-STEP-001");
    run.answer("a");
    expect(run.give({ type: "step", dispatchId, step: completed("late") })[0]).toMatch(
      "refused: the attempt",
    );
    expect(run.records.filter(({ type }) => type === "stepped")).toEqual([]);
  });

  it("[PIP-11] is stored once, however often it is reported, and a completed one stays as it is", () => {
    const run = new Run();
    expect(report(run, completed("one", { state: "STARTED", bytes: 0 }))).toEqual(["a: step 1 started"]);
    expect(report(run, completed("one", { state: "STARTED", bytes: 0 }))).toEqual([]);
    expect(report(run, completed("one"))).toEqual(["a: step 1 completed"]);
    expect(report(run, completed("one", { bytes: 9 }))).toEqual([]);
    expect(report(run, completed("one", { state: "STARTED", bytes: 0 }))).toEqual([]);
    expect(report(run, completed("one", { occurrence: 2 }))).toEqual(["a: step 2 completed"]);
    lost(run);
    report(run, completed("one"));
    expect(run.problem?.code).toBe("BATON-STEP-002");
  });

  it("[PIP-11] counts its usage once: when it is reported, and never again with a result or a replay", () => {
    const run = new Run({ policy: { budget: { maxTokens: 1_000n, maxCostMicroUsd: 1_000n } } });
    const spent = () => run.state?.spending.spent.tokens;
    const committed = () => (spent() ?? 0) + (run.state?.spending.heldTotal.tokens ?? 0);
    report(run, completed("one", { usage: usage(100n, 10n) }));
    report(run, completed("one", { usage: usage(100n, 10n) }));
    expect([spent(), committed()]).toEqual([100, 334]);
    expect(run.state?.spending.spent).toMatchObject({ inputTokens: 100, costMicroUsd: 10 });
    run.answer("a", {
      status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" },
      usage: { inputTokens: 150n, costMicroUsd: 10n },
    });
    expect([spent(), committed()]).toEqual([150, 150]);
    run.fireTimer("retry");
    run.answer("a", { usage: { inputTokens: 30n } });
    expect([spent(), run.state?.spending.heldTotal.tokens]).toEqual([180, 0]);
  });

  it("[PIP-11] counts its usage when its attempt is lost, and the rest when the late result says it", () => {
    const run = new Run({
      policy: { budget: { maxTokens: 1_000n } },
      stages: stages({ a: { budget: { maxTokens: 400n } } }),
    });
    const { dispatchId = "" } = run.envelope("a").execution ?? {};
    const envelope = run.envelope("a");
    report(run, completed("one", { usage: usage(100n) }));
    lost(run);
    expect(run.state?.spending.spent.tokens).toBe(100);
    expect(run.state?.spending.held.get(dispatchId)?.tokens).toBe(300);
    expect(envelope.execution?.attemptNumber).toBe(1);
  });

  it("[PIP-11] is refused beyond the number and the sizes of an attempt", () => {
    const run = new Run();
    report(run, completed("large", { bytes: stepLimits.valueBytes + 1 }));
    expect(run.problem).toMatchObject({
      code: "BATON-STEP-003",
      fix: expect.stringContaining("path and digest"),
    });
    const fits = stepLimits.totalBytes / stepLimits.valueBytes;
    for (let occurrence = 1; occurrence <= fits; occurrence++)
      report(run, completed("large", { occurrence, bytes: stepLimits.valueBytes }));
    expect(run.problem).toBeUndefined();
    report(run, completed("one more", { bytes: 1 }));
    expect(run.problem?.message).toContain(`at most ${stepLimits.totalBytes} bytes`);

    const many = new Run();
    for (let occurrence = 1; occurrence <= stepLimits.count; occurrence++)
      report(many, completed("small", { occurrence, bytes: 1 }));
    expect(many.problem).toBeUndefined();
    report(many, completed("one more", { bytes: 1 }));
    expect(many.problem?.message).toContain(`at most ${stepLimits.count} steps`);
  });
});
