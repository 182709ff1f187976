import { Outcome, ResponseStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";

const once = { handoffPolicy: { retry: { maxAttempts: 1 } } };

/** An agent that spent some tokens and stops before a call that needs more. */
const stopped = (spent: number, maxTokens: bigint) => ({
  status: { outcome: Outcome.PARTIAL },
  response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "the next call reads the whole book" },
  usage: { inputTokens: BigInt(spent) },
  budgetNeeded: { maxTokens },
});

function question(run: Run) {
  const [open] = run.state?.escalations.values() ?? [];
  if (!open) throw new Error("there is no question");
  return open;
}

const resolve = (run: Run, resolution: string) =>
  run.give({ type: "resolve", escalationId: question(run).id, resolution, reason: "worth it", by: ada });

describe("an agent whose budget has no room for its next call", () => {
  it("[SAC-12] [PIP-09] asks a person, with what was spent and what is missing", () => {
    const run = new Run({ stages: stages({ a: once }), policy: { budget: { maxTokens: 100n } } });
    run.answer("a", stopped(60, 50n));
    expect(run.openQuestions()).toEqual([
      "dev-1 stopped before it would exceed its budget: it needs 50 tokens; it has spent 60 tokens, $0.00, 0 steps of 100 tokens; the run has spent 60 tokens, $0.00, 0 steps of 100 tokens; the next call reads the whole book",
    ]);
    expect(question(run).snapshot).toMatchObject({ blocking: true, options: ["raise", "abort"] });
    expect(run.state?.life.status).toBe("RUNNING");
    expect(run.give({ type: "wake" })).toEqual([]);
  });

  it("[SAC-12] [PIP-09] gets what it needs in another attempt when the answer is to raise the budget", () => {
    const run = new Run({ stages: stages({ a: once }), policy: { budget: { maxTokens: 100n } } });
    run.answer("a", stopped(60, 50n));
    expect(resolve(run, "raise").at(-1)).toBe("a: attempt 2 to dev-1");
    expect(run.state?.plan.limits.budget.tokens).toBe(110);
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(50n);
    expect(run.state?.retriesUsed).toBe(0);
    run.answer("a", { usage: { inputTokens: 45n } });
    expect(run.state?.life.status).toBe("COMPLETED");
    expect(run.state?.stages[0]?.needed).toBeUndefined();
  });

  it("[SAC-12] [PIP-09] goes on when the budget of the run is set, and not before it suffices", () => {
    const run = new Run({ stages: stages({ a: once }), policy: { budget: { maxTokens: 100n } } });
    run.answer("a", stopped(60, 50n));
    const set = (tokens: number) =>
      run.give({
        type: "change-limits",
        budget: { tokens },
        deadlineAtMs: undefined,
        reason: "more",
        by: ada,
      });
    set(105);
    expect(run.openQuestions()).toHaveLength(1);
    expect(set(200).at(-1)).toBe("a: attempt 2 to dev-1");
    expect(run.openQuestions()).toEqual([]);
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(140n);
  });

  it("[SAC-12] gets more than its stage allows when a person raises the budget", () => {
    const run = new Run({ stages: stages({ a: { ...once, budget: { maxTokens: 40n } } }) });
    run.answer("a", stopped(30, 70n));
    resolve(run, "raise");
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(70n);
  });

  it("[SAC-12] gets another attempt at once where only its share was too small", () => {
    const run = new Run({ policy: { budget: { maxTokens: 300n } } });
    const [share] = [Number(run.envelope("a").execution?.budget?.maxTokens)];
    expect(share).toBe(100);
    expect(run.answer("a", stopped(90, 50n)).at(-1)).toBe("a: attempt 2 to dev-1");
    expect(run.openQuestions()).toEqual([]);
    expect(run.envelope("a").execution?.budget?.maxTokens).toBe(140n);
    run.answer("a", stopped(130, 50n));
    expect(run.openQuestions()).toHaveLength(1);
  });

  it("[SAC-12] is asked about when it repeats a demand that its attempt had the room for", () => {
    const run = new Run({ policy: { budget: { maxTokens: 300n } } });
    run.answer("a", stopped(1, 5n));
    expect(run.openQuestions()).toHaveLength(1);
  });

  it("[SAC-12] ends with the run when the answer is to abort", () => {
    const run = new Run({ stages: stages({ a: once }), policy: { budget: { maxTokens: 100n } } });
    run.answer("a", stopped(60, 50n));
    resolve(run, "abort");
    expect(run.state?.life.status).toBe("ABORTED");
  });

  it("[SAC-12] asks an ordinary question where it names no amount", () => {
    const run = new Run({ stages: stages({ a: once }) });
    run.answer("a", { ...stopped(60, 0n) });
    expect(run.openQuestions()).toEqual(["the next call reads the whole book"]);
  });
});
