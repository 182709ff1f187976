import { Outcome } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { resultFor } from "../../../testing/results.ts";
import { ada, Run } from "../../../testing/run.ts";

const spent = (tokens: number) => ({ usage: { inputTokens: BigInt(tokens) } });
/** One attempt, so that a stage need not save for another. */
const once = { handoffPolicy: { retry: { maxAttempts: 1 } } };
const side = stages({ a: once, b: { ...once, dependsOnStages: [] } });

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
    const given = stages({ a: { budget: { maxTokens: 100n } }, b: { ...once, dependsOnStages: [] } });
    const run = new Run({ stages: given, policy: { budget: { maxTokens: 100n } } });
    expect(run.records.at(-1)).toMatchObject({ type: "waited", wait: { kind: "budget" } });
    expect(run.openQuestions()).toEqual([]);
    expect(run.answer("a", spent(30)).at(-1)).toBe("b: attempt 1 to dev-1");
    expect(run.envelope("b").execution?.budget?.maxTokens).toBe(70n);
  });

  it("[PIP-09] that are spent ask a person", () => {
    const run = new Run({ stages: stages({ a: once, b: once }), policy: { budget: { maxTokens: 100n } } });
    run.answer("a", spent(100));
    expect(run.openQuestions()).toEqual(["the budget is spent: 100 tokens, $0.00, 0 steps of 100 tokens"]);
    expect(run.give({ type: "wake" })).toEqual([]);
    expect(
      run.give({ type: "resolve", escalationId: "p/e1", resolution: "abort", by: ada }).at(-1),
    ).toContain("aborted");
  });

  it("[PIP-09] [DIS-13] leave enough for the retry of a lost attempt, whose reservation stays until it is known what it spent", () => {
    const run = new Run({ policy: { budget: { maxTokens: 90n } } });
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(30n);
    const late = resultFor(run.envelope("a"), spent(10));
    run.fireTimer("timeout");
    expect(run.state?.spending).toMatchObject({ spent: { tokens: 0 }, heldTotal: { tokens: 30 } });
    expect(run.fireTimer("retry").at(-1)).toBe("a: attempt 2 to dev-1");
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(30n);
    run.give({ type: "result", dispatchId: "p/a/1", answer: { kind: "result", result: late } });
    expect(run.state?.spending).toMatchObject({ spent: { tokens: 10 }, heldTotal: { tokens: 30 } });
  });

  it("[PIP-09] cannot be raised by a result that claims to have spent less than nothing", () => {
    const run = new Run({ policy: { budget: { maxTokens: 90n } } });
    const forged = resultFor(run.envelope("a"), spent(-1_000_000));
    run.answer("a", spent(-1_000_000));
    run.give({ type: "result", dispatchId: "p/a/1", answer: { kind: "result", result: forged } });
    expect(run.state?.spending).toMatchObject({ spent: { tokens: 0 }, heldTotal: { tokens: 30 } });
  });

  it("[PIP-09] get the reservation of an attempt back that never reached its agent", () => {
    const run = new Run({ policy: { budget: { maxTokens: 100n } } });
    run.give({ type: "not-delivered", dispatchId: "p/a/1", reason: "refused" });
    expect(run.state?.spending.heldTotal.tokens).toBe(0);
    run.fireTimer("retry");
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(50n);
  });

  it("[PIP-09] take what was given for spent when a result does not say what it spent", () => {
    const run = new Run({ stages: side, policy: { budget: { maxTokens: 100n, maxSteps: 8 } } });
    run.answer("a");
    expect(run.state?.spending).toMatchObject({
      spent: { tokens: 50, costMicroUsd: 0, steps: 4 },
      heldTotal: { tokens: 50, steps: 4 },
    });
    run.answer("b", { usage: {} });
    expect(run.state?.spending.spent).toMatchObject({ tokens: 50, steps: 4 });
  });

  it("[PIP-12] are summed up over all attempts, tokens as money and steps", () => {
    const usage = { inputTokens: 10n, outputTokens: 5n, costMicroUsd: 7n, steps: 2 };
    const run = new Run();
    run.answer("a", { usage, status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" } });
    run.fireTimer("retry");
    run.answer("a", { usage });
    const life = run.state?.life;
    expect(life?.status === "COMPLETED" && life.summary.usage).toMatchObject({
      inputTokens: 20n,
      outputTokens: 10n,
      costMicroUsd: 14n,
      steps: 4,
    });
  });

  it("[SAC-12] are summed up by model, with the tokens of caches and reasoning", () => {
    const call = { provider: "anthropic", model: "claude", calls: 1, inputTokens: 10n, outputTokens: 4n };
    const priced = {
      ...call,
      cacheReadTokens: 6n,
      cacheWriteTokens: 2n,
      reasoningTokens: 3n,
      costMicroUsd: 7n,
    };
    const unpriced = { ...call, provider: "local", model: "llama", costUnknown: true };
    const usage = {
      inputTokens: 20n,
      outputTokens: 8n,
      costMicroUsd: 7n,
      cacheReadTokens: 6n,
      reasoningTokens: 3n,
    };
    const run = new Run();
    const failed = { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" };
    run.answer("a", { usage: { ...usage, costUnknown: true, models: [priced, unpriced] }, status: failed });
    run.fireTimer("retry");
    run.answer("a", { usage: { inputTokens: 10n, outputTokens: 4n, costMicroUsd: 7n, models: [priced] } });
    const life = run.state?.life;
    expect(life?.status === "COMPLETED" && life.summary.usage).toMatchObject({
      ...{ inputTokens: 30n, costMicroUsd: 14n, cacheReadTokens: 6n, reasoningTokens: 3n, costUnknown: true },
      models: [
        {
          ...priced,
          calls: 2,
          inputTokens: 20n,
          outputTokens: 8n,
          cacheReadTokens: 12n,
          costMicroUsd: 14n,
          cacheWriteTokens: 4n,
          reasoningTokens: 6n,
        },
        { ...unpriced, costMicroUsd: 0n },
      ],
    });
  });

  it("[SAC-12] name at most 64 models; further ones are counted together", () => {
    const run = new Run();
    for (const attempt of [1, 2]) {
      const models = Array.from({ length: 40 }, (_, index) => ({
        model: `m${attempt}-${index}`,
        calls: 1,
        inputTokens: 1n,
      }));
      const status = attempt === 1 ? { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" } : {};
      run.answer("a", { usage: { inputTokens: 40n, models }, ...(attempt === 1 && { status }) });
      if (attempt === 1) run.fireTimer("retry");
    }
    const life = run.state?.life;
    const usage = life?.status === "COMPLETED" ? life.summary.usage : undefined;
    expect(usage?.models).toHaveLength(64);
    expect(usage?.models.at(-1)).toMatchObject({ model: "other models", calls: 17 });
    expect(usage?.models.reduce((sum, { inputTokens }) => sum + inputTokens, 0n)).toBe(80n);
  });

  it("[PIP-09] report an agent that spent more than it was given", () => {
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
