import { AuditEventType } from "@baton/contract";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import type { SpendLimit } from "../plan/spending.ts";

const once = { handoffPolicy: { retry: { maxAttempts: 1 } } };
const two = stages({ a: once, b: once });

function change(budget: SpendLimit, deadlineAtMs?: number) {
  return { type: "change-limits", budget, deadlineAtMs, reason: "worth it", by: ada } as const;
}

function spent(tokens: number) {
  return { usage: { outputTokens: BigInt(tokens) } };
}

describe("limits of a run under way", () => {
  it("[PIP-09] [PIP-10] a larger budget lets a stage go on that waited for one", () => {
    const run = new Run({ stages: two, policy: { budget: { maxTokens: 100n } } });
    run.answer("a", spent(100));
    expect(run.openQuestions()).toHaveLength(1);
    expect(run.give(change({ tokens: 250 }))).toEqual([
      "pipeline: limits-changed",
      "answered: an agent can take it now",
      "b: attempt 1 to dev-1",
    ]);
    expect(run.envelope("b").execution?.budget?.maxTokens).toBe(150n);
    expect(run.state?.plan.policy?.budget?.maxTokens).toBe(250n);
    expect(run.openQuestions()).toEqual([]);
  });

  it("[PIP-10] names who changed them and why, and what they are", () => {
    const run = new Run({ stages: two });
    run.give(change({ costMicroUsd: 5_000_000 }));
    const entry = run.audit.find(({ eventType }) => eventType === AuditEventType.LIMITS_CHANGED);
    expect([entry?.actor?.id, entry?.rationale]).toEqual(["ada", "worth it"]);
    const payload = entry?.snapshot?.snapshotPayload;
    expect(payload?.case === "pipeline" && payload.value.policy?.budget?.maxCostMicroUsd).toBe(5_000_000n);
  });

  it("[PIP-09] keeps the kinds that are not named", () => {
    const run = new Run({ stages: two, policy: { budget: { maxTokens: 100n, maxSteps: 9 } } });
    run.give(change({ tokens: 200 }));
    expect(run.state?.plan.limits.budget).toEqual({ tokens: 200, steps: 9 });
  });

  it("[PIP-09] refuses less than what is spent or promised", () => {
    const run = new Run({ stages: two, policy: { budget: { maxTokens: 100n } } });
    run.answer("a", spent(40));
    expect(run.give(change({ tokens: 99 }))).toEqual([
      "refused: cannot change the limits: 99 tokens are less than the 100 that are spent or promised",
    ]);
    expect(run.problem).toMatchObject({ code: "BATON-PIPELINE-010", at: "budget" });
    expect(run.give(change({ tokens: 100 }))).toEqual(["pipeline: limits-changed"]);
  });

  it("refuses a change that names nothing, a deadline that has passed and a run that has ended", () => {
    const run = new Run();
    expect(run.give(change({}))).toEqual(["refused: cannot change the limits: no limit is given"]);
    expect(run.give(change({}, run.world.nowMs))).toEqual([
      "refused: cannot change the limits: the deadline is not in the future",
    ]);
    run.answer("a");
    expect(run.give(change({ tokens: 9 }))).toEqual([
      "refused: cannot change the limits: the run has ended (COMPLETED)",
    ]);
  });

  it("[PIP-10] is not an agent's to do, nor without a reason", () => {
    const run = new Run();
    expect(run.give({ ...change({ tokens: 9 }), by: { kind: "agent", id: "dev-1" } })).toEqual([
      "refused: an agent cannot change the limits",
    ]);
    expect(run.give({ ...change({ tokens: 9 }), reason: "" })).toEqual([
      "refused: cannot change the limits without a reason",
    ]);
  });

  it("[PIP-09] a later deadline fires when it is due, and not before", () => {
    const run = new Run({ stages: two, policy: { pipelineDeadline: { seconds: 60n } } });
    run.give(change({}, run.world.nowMs + 7_200_000));
    run.pass(61_000);
    expect(run.give({ type: "timer", timerId: "deadline" })).toEqual([]);
    expect(run.state?.life.status).toBe("RUNNING");
    run.pass(7_200_000);
    run.give({ type: "timer", timerId: "deadline" });
    expect(run.state?.life.status).toBe("PAUSED");
    expect(run.openQuestions()[0]).toContain("7200000 ms");
  });

  it("[PIP-09] a run that paused for its deadline goes on with a later one", () => {
    const run = new Run({ stages: two, policy: { pipelineDeadline: { seconds: 60n } } });
    run.fireTimer("deadline");
    expect(run.state?.life.status).toBe("PAUSED");
    expect(run.give(change({}, run.world.nowMs + 60_000))).toEqual([
      "pipeline: limits-changed",
      "pipeline: resumed",
      "answered: resumed",
    ]);
    run.answer("a");
    run.fireTimer("deadline");
    expect(run.state?.life.status).toBe("PAUSED");
  });

  it("[PIP-10] a run that a person paused stays paused", () => {
    const run = new Run({ stages: two, policy: { pipelineDeadline: { seconds: 60n } } });
    run.give({ type: "pause", reason: "lunch", by: ada });
    run.fireTimer("deadline");
    run.give(change({}, run.world.nowMs + 60_000));
    expect(run.state?.life.status).toBe("PAUSED");
    expect(run.openQuestions()).toEqual([]);
  });

  it("[PIP-09] a later deadline stands in place of the task's own", () => {
    const run = new Run({ stages: two });
    const task = { deadline: timestampFromMs(run.world.nowMs + 60_000) };
    const late = new Run({ stages: two, task });
    late.pass(61_000);
    late.answer("a");
    expect(late.openQuestions()).toHaveLength(1);
    expect(late.give(change({}, late.world.nowMs + 60_000)).at(-1)).toBe("b: attempt 1 to dev-1");
    expect(late.openQuestions()).toEqual([]);
  });
});
