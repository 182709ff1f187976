import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import { startMs } from "../../../testing/world.ts";
import {
  type Allowance,
  type Amounts,
  addAmounts,
  noAmounts,
  type TenantLimits,
} from "../../spend-limits.ts";

const once = { handoffPolicy: { retry: { maxAttempts: 1 } } };
const side = stages({ a: once, b: { ...once, dependsOnStages: [] } });
const dayMs = 86_400_000;

function allowance(
  limits: Partial<TenantLimits>,
  spent: Partial<Amounts> = {},
  more: Partial<Allowance> = {},
): Allowance {
  const all = addAmounts(noAmounts, { ...noAmounts, ...spent });
  return {
    limits: { daily: {}, monthly: {}, ...limits },
    spentToday: all,
    spentThisMonth: all,
    held: noAmounts,
    raised: noAmounts,
    ...more,
  };
}

const budget = (run: Run, stage: string) => run.envelope(stage).execution?.budget;
const question = (run: Run) => [...(run.state?.escalations.values() ?? [])][0];

describe("the limits of a tenant", () => {
  it("[SAC-12] cap the budget of an attempt, and give one without a budget a tenth", () => {
    const limits = { daily: { tokens: 1_000 }, monthly: { costMicroUsd: 500 } };
    const free = new Run({ stages: stages({ a: once }) }, { allowance: allowance(limits) });
    expect(budget(free, "a")).toMatchObject({ maxTokens: 100n, maxCostMicroUsd: 50n });
    const policy = { budget: { maxTokens: 900n } };
    const own = new Run(
      { stages: stages({ a: once }), policy },
      { allowance: allowance(limits, { tokens: 700 }) },
    );
    expect(budget(own, "a")?.maxTokens).toBe(300n);
  });

  it("[SAC-12] are shared by attempts that are sent in the same decision", () => {
    const limits = { daily: { tokens: 1_000 } };
    const run = new Run(
      { stages: side, policy: { budget: { maxTokens: 1_600n } } },
      { allowance: allowance(limits, { tokens: 100 }) },
    );
    expect([budget(run, "a")?.maxTokens, budget(run, "b")?.maxTokens]).toEqual([800n, 100n]);
  });

  it("[SAC-12] that are spent ask a person: which limit, what was spent, and when it counts from zero", () => {
    const run = new Run({}, { allowance: allowance({ daily: { tokens: 1_000 } }, { tokens: 1_200 }) });
    expect(run.openQuestions()).toEqual(["the tenant has no room left in its daily limit of 1000 tokens"]);
    expect(question(run)?.snapshot).toMatchObject({
      impact:
        'stage "a" waits until 2026-01-02T00:00Z, or until the limit is raised; 1200 tokens are spent today',
      recommended:
        "wait until 2026-01-02T00:00Z, or raise the limit for today (baton spend raise --tokens N --reason TEXT)",
      options: ["retry", "abort"],
      blocking: true,
    });
    expect(run.give({ type: "wake" })).toEqual([]);
  });

  it("[SAC-12] of a month name the first of the next one, and the money", () => {
    const limits = { monthly: { costMicroUsd: 12_500_000 } };
    const run = new Run({}, { allowance: allowance(limits, { costMicroUsd: 12_600_000 }) });
    expect(question(run)?.snapshot.problem).toBe(
      "the tenant has no room left in its monthly limit of $12.50",
    );
    expect(question(run)?.snapshot.impact).toContain("until 2026-02-01T00:00Z");
    expect(question(run)?.snapshot.recommended).toContain("--usd N");
  });

  it("[SAC-12] start the waiting run when they count from zero", () => {
    const limits = { daily: { tokens: 1_000 } };
    const run = new Run({}, { allowance: allowance(limits, { tokens: 1_000 }) });
    run.world = { ...run.world, allowance: allowance(limits) };
    expect(run.fireTimer("tenant-limit").at(-1)).toBe("a: attempt 1 to dev-1");
    expect(run.world.nowMs).toBe(startMs + dayMs);
    expect(run.openQuestions()).toEqual([]);
  });

  it("[SAC-12] ask again, for the month, when the day is over and the month is not", () => {
    const limits = { daily: { tokens: 1_000 }, monthly: { tokens: 1_000 } };
    const run = new Run({}, { allowance: allowance(limits, { tokens: 1_000 }) });
    const month = { ...allowance(limits), spentThisMonth: { tokens: 1_000, costMicroUsd: 0 } };
    run.world = { ...run.world, allowance: month };
    run.fireTimer("tenant-limit");
    expect(run.openQuestions()).toEqual(["the tenant has no room left in its monthly limit of 1000 tokens"]);
    run.world = { ...run.world, allowance: allowance(limits) };
    expect(run.fireTimer("tenant-limit").at(-1)).toBe("a: attempt 1 to dev-1");
    expect(new Date(run.world.nowMs).toISOString()).toBe("2026-02-01T00:00:00.000Z");
  });

  it("[SAC-12] that a person raises for today let the run go on", () => {
    const limits = { daily: { tokens: 1_000 }, monthly: { tokens: 1_000 } };
    const spent = allowance(limits, { tokens: 1_000 });
    const run = new Run({ stages: stages({ a: once }) }, { allowance: spent });
    run.world = { ...run.world, allowance: { ...spent, raised: { tokens: 50, costMicroUsd: 0 } } };
    expect(run.give({ type: "wake" }).at(-1)).toBe("a: attempt 1 to dev-1");
    expect(budget(run, "a")?.maxTokens).toBe(50n);
  });

  it("[SAC-12] that only attempts under way use up ask nobody: these may return some", () => {
    const limits = { daily: { tokens: 1_000 } };
    const held = { tokens: 1_000, costMicroUsd: 0 };
    const run = new Run({}, { allowance: allowance(limits, {}, { held }) });
    expect(run.openQuestions()).toEqual([]);
    expect(run.records.at(-1)).toMatchObject({ wait: { kind: "tenant-limit", escalationId: undefined } });
    run.world = { ...run.world, allowance: allowance(limits, { tokens: 300 }) };
    expect(run.give({ type: "wake" }).at(-1)).toBe("a: attempt 1 to dev-1");
  });

  it("[SAC-12] count what this run has just spent before its next attempt", () => {
    const limits = { daily: { tokens: 1_000 } };
    const run = new Run({ stages: stages({ a: once, b: once }) }, { allowance: allowance(limits) });
    const [granted] = [run.world.allowance as Allowance];
    // As the hub counts it between two decisions.
    run.world = { ...run.world, allowance: { ...granted, held: { tokens: 100, costMicroUsd: 0 } } };
    run.answer("a", { usage: { inputTokens: 1_000n } });
    expect(run.openQuestions()).toContain("the tenant has no room left in its daily limit of 1000 tokens");
  });

  it("[SAC-12] ask again when somebody answers to try it and nothing has changed", () => {
    const run = new Run({}, { allowance: allowance({ daily: { tokens: 10 } }, { tokens: 10 }) });
    run.give({ type: "resolve", escalationId: "p/e1", resolution: "retry", by: ada });
    expect(run.openQuestions()).toHaveLength(1);
    run.give({ type: "resolve", escalationId: "p/e2", resolution: "abort", by: ada });
    expect(run.state?.life.status).toBe("ABORTED");
  });

  it("[SAC-12] leave the run's own ledger as it is: a result without usage counts as the share of the run", () => {
    const policy = { budget: { maxTokens: 900n } };
    const limits = { daily: { tokens: 500 } };
    const run = new Run({ stages: stages({ a: once }), policy }, { allowance: allowance(limits) });
    expect(budget(run, "a")?.maxTokens).toBe(500n);
    expect(run.state?.spending.heldTotal.tokens).toBe(900);
  });
});
