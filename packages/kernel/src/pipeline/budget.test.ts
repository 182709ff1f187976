import { describe, expect, it } from "vitest";
import { stages } from "../../testing/pipelines.ts";
import { resultFor } from "../../testing/results.ts";
import { ada, Run } from "../../testing/run.ts";

const spent = (tokens: number) => ({ usage: { inputTokens: BigInt(tokens) } });
const side = stages({ a: {}, b: { dependsOnStages: [] } });

describe("budgets", () => {
  it("[PIP-09] are shared by stages that run side by side", () => {
    const run = new Run({ stages: side, policy: { budget: { maxTokens: 100n } } });
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(50n);
    expect(run.envelope("b").execution?.budget?.maxTokens).toBe(50n);
  });

  it("[PIP-09] give a stage its own share when it has one, and never more than is left", () => {
    const given = stages({
      a: { budget: { maxTokens: 80n } },
      b: { budget: { maxTokens: 80n }, dependsOnStages: [] },
    });
    const run = new Run({ stages: given, policy: { budget: { maxTokens: 100n } } });
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(80n);
    expect(run.envelope("b").execution?.budget?.maxTokens).toBe(20n);
  });

  it("[PIP-09] are settled at the result, so that what was not needed comes back", () => {
    const given = stages({ a: { budget: { maxTokens: 100n } }, b: { dependsOnStages: [] } });
    const run = new Run({ stages: given, policy: { budget: { maxTokens: 100n } } });
    expect(run.records.at(-1)).toMatchObject({ type: "waited", wait: { kind: "budget" } });
    expect(run.openQuestions()).toEqual([]);
    expect(run.answer("a", spent(30)).at(-1)).toBe("b: attempt 1 to dev-1");
    expect(run.envelope("b").execution?.budget?.maxTokens).toBe(70n);
  });

  it("[PIP-09] that are spent ask a person", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }), policy: { budget: { maxTokens: 100n } } });
    run.answer("a", spent(100));
    expect(run.openQuestions()).toEqual([
      "the budget is spent: 100 tokens, 0 millionths of a US dollar, 0 steps",
    ]);
    expect(run.give({ type: "wake" })).toEqual([]);
    expect(
      run.give({ type: "resolve", escalationId: "p/e1", resolution: "abort", by: ada }).at(-1),
    ).toContain("aborted");
  });

  it("[PIP-09] keep the reservation of a lost attempt until it is known what it spent", () => {
    const run = new Run({ policy: { budget: { maxTokens: 100n } } });
    const late = resultFor(run.envelope("a"), spent(40));
    run.ring("timeout");
    expect(run.state?.ledger).toMatchObject({ spent: { tokens: 0 }, heldTotal: { tokens: 100 } });
    run.ring("retry");
    expect(run.openQuestions()[0]).toContain("the budget is spent");
    run.give({ type: "result", dispatchId: "p/a/1", answer: { kind: "result", result: late } });
    expect(run.give({ type: "wake" }).at(-1)).toBe("a: attempt 2 to dev-1");
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(60n);
  });

  it("[PIP-09] get the reservation of an attempt back that never reached its agent", () => {
    const run = new Run({ policy: { budget: { maxTokens: 100n } } });
    run.give({ type: "not-delivered", dispatchId: "p/a/1", reason: "refused" });
    run.ring("retry");
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(100n);
  });

  it("[PIP-09] tell on an agent that spent more than it was given", () => {
    const run = new Run({ stages: side, policy: { budget: { maxTokens: 100n } } });
    run.answer("a", spent(60));
    expect(run.openQuestions()).toEqual(["dev-1 spent 60 tokens of 50 that it was given"]);
    expect(run.state?.life.status).toBe("RUNNING");
  });

  it("limit money and steps in the same way", () => {
    const run = new Run({ stages: side, policy: { budget: { maxCostMicroUsd: 9n, maxSteps: 4 } } });
    expect(run.envelope("b").execution?.budget).toMatchObject({ maxCostMicroUsd: 4n, maxSteps: 2 });
  });
});
