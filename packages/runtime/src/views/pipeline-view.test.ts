import {
  ArtifactAction,
  FailureStrategy,
  Outcome,
  type Pipeline,
  PipelineStatus,
  ResponseStatus,
  RiskTier,
  StageStatus,
} from "@baton/contract";
import {
  ada,
  anyHappening,
  anyPipeline,
  inputFor,
  Run,
  stages,
  type TestPipeline,
  testFleet,
} from "@baton/kernel/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pipelineView } from "./pipeline-view.ts";

function view({ state }: Run): Pipeline {
  if (!state) throw new Error("a run has a pipeline");
  return pipelineView(state, { withResults: true });
}

/** What the stages wait for, by their ids. */
function waits(run: Run): Readonly<Record<string, string>> {
  return Object.fromEntries(view(run).stages.map(({ stageId, waitingFor }) => [stageId, waitingFor]));
}

function runOf(pipeline: TestPipeline, then: (run: Run) => void = () => {}, world = {}): Run {
  const run = new Run(pipeline, world);
  then(run);
  return run;
}

const full = { activeTasks: 1, maxTasks: 1 };
const critical = { task: { riskTier: RiskTier.CRITICAL } };

describe("what a stage waits for, in a word for people", () => {
  it.each<[string, Run, string]>([
    ["sent", runOf({}), "the answer of dev-1"],
    ["busy agents", runOf({}, undefined, { fleet: testFleet([{ packId: "dev", ...full }]) }), "busy"],
    ["no agent", runOf({}, undefined, { fleet: testFleet([]) }), "no agent can take"],
    ["no route", runOf({ stages: stages({ a: { taskType: "dance" } }) }), "no route"],
    [
      "backoff",
      runOf({}, (run) =>
        run.answer("a", { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "so" } }),
      ),
      "the next attempt at 2026-01-01T",
    ],
    ["a review by a person", runOf(critical, (run) => run.answer("a")), "a review by a person"],
    [
      "a review by an agent",
      runOf({ task: { riskTier: RiskTier.NORMAL } }, (run) => run.answer("a"), {
        review: { normal: "agent" },
      }),
      "a review by an agent",
    ],
    [
      "its own look",
      runOf({ task: { workspace: { repository: "somewhere", path: "somewhere" } } }, (run) =>
        run.answer("a"),
      ),
      "the hub's verification of the evidence",
    ],
    [
      "a question",
      runOf({}, (run) =>
        run.answer("a", { response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "which one?" } }),
      ),
      "an answer to: which one?",
    ],
    [
      "references",
      runOf({
        stages: stages({ a: { handoffPolicy: { freshness: { maxRefStaleness: { seconds: 60n } } } } }),
      }),
      "references to be refreshed",
    ],
    [
      "failed",
      runOf({}, (run) =>
        run.answer("a", {
          status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "cannot be done" },
        }),
      ),
      "cannot be done",
    ],
  ])("%s", (_, run, text) => {
    expect(waits(run).a).toContain(text);
  });

  it("those before it, by name, and only those that are not done", () => {
    const run = new Run({
      stages: stages({ a: {}, b: { dependsOnStages: [] }, c: { dependsOnStages: ["a", "b"] } }),
    });
    expect(waits(run).c).toBe("earlier stages: a, b");
    run.answer("b");
    expect(waits(run).c).toBe("earlier stages: a");
  });

  it("somebody who resumes, when the pipeline is paused", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    run.give({ type: "pause", reason: "lunch", by: ada });
    expect(waits(run)).toEqual({ a: "the answer of dev-1", b: "earlier stages: a" });
    run.answer("a");
    expect(waits(run)).toEqual({ a: "", b: "a person who resumes the run" });
    expect(view(run).statusReason).toBe("lunch");
  });

  it("nothing, once the pipeline has ended", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    run.give({ type: "abort", reason: "not needed", by: ada });
    expect(waits(run)).toEqual({ a: "", b: "" });
    expect(view(run).statusReason).toBe("not needed");
  });

  it("is said of every stage that is not done, whatever happened", () => {
    const happenings = fc.array(anyHappening(), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(anyPipeline(), happenings, (pipeline, things) => {
        const run = new Run(pipeline);
        for (const thing of [undefined, ...things]) {
          const input = thing && inputFor(run, thing);
          if (input) run.give(input);
          const visible = view(run);
          const over = ["COMPLETED", "FAILED", "ABORTED"].includes(run.state?.life.status ?? "");
          for (const { stageId, status, waitingFor } of visible.stages) {
            const settled = status === StageStatus.COMPLETED;
            if (settled) expect(waitingFor, stageId).toBe("");
            else if (!over) expect(waitingFor, `${stageId} ${StageStatus[status]}`).not.toBe("");
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("the view of a pipeline", () => {
  it.each(["failed", "aborted"])("[PIP-12] has what was accepted and spent until it was %s", (how) => {
    const policy = { failureStrategy: FailureStrategy.FAIL_FAST };
    const run = new Run({ stages: stages({ a: {}, b: {} }), policy });
    run.answer("a", {
      artifacts: [{ path: "kept.ts", action: ArtifactAction.CREATED, digest: "" }],
      contextOut: { decisionsMade: [{ decisionId: "d1", description: "use slugs" }] },
      usage: { inputTokens: 10n, outputTokens: 5n, costMicroUsd: 7n, steps: 1 },
    });
    expect(view(run).summary).toBeUndefined();
    if (how === "aborted") run.give({ type: "abort", reason: "not needed", by: ada });
    else run.answer("b", { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no way" } });
    const { status, summary, statusReason } = view(run);
    expect(PipelineStatus[status]).toBe(how.toUpperCase());
    expect(statusReason).toMatch(how === "aborted" ? /not needed/ : /no way/);
    expect(summary?.artifacts.map(({ path }) => path)).toEqual(["kept.ts"]);
    expect(summary?.decisions.map(({ description }) => description)).toEqual(["use slugs"]);
    expect(summary?.usage).toMatchObject({ inputTokens: 10n, outputTokens: 5n, costMicroUsd: 7n });
    expect([summary?.stagesCompleted, summary?.timing?.finishedAt !== undefined]).toEqual([1, true]);
  });

  it("[PIP-12] has the summary of a completed one, and what its stages answered where that is wanted", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    run.answer("a", { status: { outcome: Outcome.SUCCESS, summary: "first" } });
    run.pass(1_000).answer("b");
    const visible = view(run);
    expect(visible.summary).toBeDefined();
    expect(visible.stages.map(({ result }) => result?.status?.summary)).toEqual(["first", "done"]);
    expect(visible.stages[0]).toMatchObject({
      assignedPackId: "dev",
      assignedInstanceId: "dev-1",
      attemptNumber: 1,
      startedAt: expect.anything(),
      finishedAt: expect.anything(),
    });
    if (!run.state) throw new Error("a run has a pipeline");
    const listed = pipelineView(run.state, { withResults: false });
    expect(listed.stages.flatMap(({ result }) => result ?? [])).toEqual([]);
    expect(listed.revision).toBe(BigInt(run.records.length));
  });
});
