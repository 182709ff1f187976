import { ResponseStatus, RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages, submission } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";

const keyOf = (run: Run, stageId = "a") => run.envelope(stageId).execution?.idempotencyKey;

describe("the key under which an agent knows its work", () => {
  it("[DIS-12] stays the same for all attempts of one round", () => {
    const run = new Run();
    const first = keyOf(run);
    run.fireTimer("timeout");
    run.fireTimer("retry");
    expect([run.envelope("a").execution?.attemptNumber, keyOf(run)]).toEqual([2, first]);
  });

  it("[DIS-12] [PIP-08] is another for the round after a rejection, and for what depends on it", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }), task: { riskTier: RiskTier.CRITICAL } });
    const review = { type: "review", reason: "so", by: ada } as const;
    const approve = { kind: "approve" } as const;
    run.answer("a");
    const keys = [keyOf(run)];
    run.give({ ...review, stageId: "a", dispatchId: "p/a/1", verdict: approve });
    keys.push(keyOf(run, "b"));
    run.answer("b");
    const reject = { kind: "reject", targetStageId: "a", instructions: [] } as const;
    run.give({ ...review, stageId: "b", dispatchId: "p/b/1", verdict: reject });
    keys.push(keyOf(run));
    run.answer("a");
    run.give({ ...review, stageId: "a", dispatchId: "p/a/2", verdict: approve });
    keys.push(keyOf(run, "b"));
    expect(new Set(keys).size).toBe(4);
  });

  it("[DIS-12] is another once a question has been answered: the same key would bring back the question", () => {
    const run = new Run();
    const first = keyOf(run);
    run.answer("a", { response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "Which?" } });
    run.give({ type: "resolve", escalationId: "p/e1", resolution: "that one", by: ada });
    expect(keyOf(run)).not.toBe(first);
  });

  it("[DIS-12] [DIS-15] never meets that of another tenant, task or stage, whatever is in their names", () => {
    const keyFor = (tenantId: string, idempotencyKey: string, stageId: string) => {
      const given = submission({ stages: stages({ [stageId]: {} }), task: { idempotencyKey } });
      const run = new Run();
      run.state = undefined;
      run.give({ ...given, tenantId });
      return keyOf(run, stageId);
    };
    const keys = [
      keyFor("acme", "k", "s"),
      keyFor("other", "k", "s"),
      keyFor("acme/k", "s", "s"),
      keyFor("acme", "k/s", "s"),
      keyFor("acme", "k%2Fs", "s"),
      keyFor("acme", "1:k", "s"),
      keyFor("acme", "3:k/s", "s"),
      keyFor("acme", "k", "s/s"),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});
