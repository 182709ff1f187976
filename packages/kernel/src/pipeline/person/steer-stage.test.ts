import { AuditEventType, FailureStrategy, Outcome, RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import type { Actor, ProvidedWork } from "../decision/input.ts";

const pause = { failureStrategy: FailureStrategy.PAUSE };
const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "it cannot be done" } };
const optional = stages({ a: { required: false }, b: { dependsOnStages: [] } });

const reason = "not needed";
const skip = (stageId: string, by: Actor = ada) => ({ type: "skip-stage", stageId, reason, by }) as const;
const cancel = (stageId: string, by: Actor = ada) => ({ type: "cancel-stage", stageId, reason, by }) as const;
const work: ProvidedWork = {
  ...{ summary: "did it by hand", commitSha: "", artifacts: [], contextOut: undefined, data: undefined },
};
function override(stageId: string, provided?: ProvidedWork, by: Actor = ada) {
  return { type: "override-stage", stageId, provided, reason: "checked it", by } as const;
}

function audited(run: Run, eventType: AuditEventType) {
  const entry = run.audit.find((one) => one.eventType === eventType);
  return [entry?.actor?.id, entry?.stageId, entry?.rationale];
}

describe("a stage that a person skips", () => {
  it("[PIP-10] leaves a failed stage out, and the run goes on", () => {
    const run = new Run({ stages: optional, policy: pause });
    run.answer("a", failing);
    expect(run.state?.life.status).toBe("PAUSED");
    expect(run.give(skip("a"))).toEqual([
      "answered: skipped by ada: not needed",
      "a: sent back",
      "a: left out, skipped by ada: not needed",
      "pipeline: resumed",
    ]);
    expect(run.answer("b").at(-1)).toBe("pipeline: completed");
    expect(audited(run, AuditEventType.STAGE_SKIPPED)).toEqual(["ada", "a", "not needed"]);
  });

  it("[PIP-10] cancels what runs, and leaves out what depends on it", () => {
    const run = new Run({
      stages: stages({ a: { required: false }, c: { required: false }, b: { dependsOnStages: [] } }),
    });
    expect(run.give(skip("a"))).toEqual([
      "a: left out, skipped by ada: not needed",
      'c: left out, it depends on "a", which was skipped',
    ]);
    expect(run.commands.some(({ type }) => type === "cancel")).toBe(true);
  });

  it("[PIP-10] completes the run when nothing else is left", () => {
    const run = new Run({ stages: stages({ a: { required: false } }) });
    expect(run.give(skip("a")).at(-1)).toBe("pipeline: completed");
  });

  it("[PIP-02] refuses what is required, what a required stage depends on, and what has come to rest", () => {
    const run = new Run({ stages: stages({ a: { required: false }, b: {} }) });
    expect(run.give(skip("a"))).toEqual(['refused: cannot skip: stage "b" is required and depends on "a"']);
    expect(run.give(skip("b"))).toEqual(['refused: cannot skip: stage "b" is PENDING']);
    expect(run.give(skip("x"))).toEqual(['refused: there is no stage "x"']);
    expect(run.problem?.fix).toMatch(/^name a stage of this run: a\b/);
    run.answer("a");
    expect(run.give(skip("a"))).toEqual(['refused: cannot skip: stage "a" is COMPLETED']);
    expect(run.give(skip("b"))).toEqual(['refused: cannot skip: stage "b" is required']);
  });

  it("[PIP-10] waits for a person while another stage has failed too", () => {
    const both = stages({ a: { required: false }, b: { dependsOnStages: [] } });
    const run = new Run({ stages: both, policy: pause });
    run.answer("a", failing);
    run.answer("b", failing);
    run.give(skip("a"));
    expect(run.state?.life.status).toBe("PAUSED");
    expect(run.status("a")).toBe("SKIPPED");
  });
});

describe("a stage that a person cancels", () => {
  it("[PIP-10] stops its agent and fails; the run pauses where its strategy says so", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }), policy: pause });
    run.give(cancel("a"));
    expect([run.status("a"), run.state?.life.status]).toEqual(["FAILED", "PAUSED"]);
    expect(run.commands).toContainEqual(expect.objectContaining({ type: "cancel", dispatchId: "p/a/1" }));
    expect(audited(run, AuditEventType.STAGE_CANCELLED)).toEqual(["ada", "a", "not needed"]);
    run.give({ type: "resume", reason: "again", by: ada });
    expect(run.envelope("a").execution?.attemptNumber).toBe(2);
  });

  it("[PIP-09] fails the run where it fails fast, and is skipped where that is allowed", () => {
    const fast = new Run({ policy: { failureStrategy: FailureStrategy.FAIL_FAST } });
    expect(fast.give(cancel("a")).at(-1)).toContain("pipeline: failed");
    const lenient = new Run({ stages: optional, policy: { failureStrategy: FailureStrategy.SKIP_FAILED } });
    lenient.give(cancel("a"));
    expect([lenient.status("a"), lenient.state?.life.status]).toEqual(["SKIPPED", "RUNNING"]);
  });

  it("[PIP-02] refuses a stage for which nothing is under way", () => {
    const run = new Run({ stages: stages({ a: {}, b: {} }) });
    expect(run.give(cancel("b"))).toEqual([
      'refused: cannot cancel: stage "b" is PENDING, and nothing is under way for it',
    ]);
  });
});

describe("a failed stage that a person overrides", () => {
  const two = stages({ a: {}, b: {} });
  const failed = (task = {}, keyId?: string) => {
    const run = new Run({ stages: two, policy: pause, task, ...(keyId !== undefined && { keyId }) });
    run.answer("a", { ...failing, contextOut: { decisionsMade: [{ decisionId: "d1", description: "x" }] } });
    return run;
  };

  it("[PIP-02] [PIP-10] completes with what the last attempt returned, as an attempt of its own", () => {
    const run = failed();
    expect(run.give(override("a"))).toEqual([
      "answered: overridden by ada: checked it",
      "a: sent back",
      "pipeline: overridden",
      "a: completed",
      "pipeline: resumed",
      "b: ready",
      "b: attempt 1 to dev-1",
    ]);
    expect(audited(run, AuditEventType.STAGE_OVERRIDDEN)).toEqual(["ada", "a", "checked it"]);
    const a = run.state?.stages[0];
    expect(a?.status === "COMPLETED" && a.sent.dispatchId).toBe("p/a/2");
    expect(run.answer("b").at(-1)).toBe("pipeline: completed");
  });

  it("[PIP-10] completes with work of a person, which later stages receive", () => {
    const run = new Run({
      stages: stages({ a: {}, b: { contextPropagation: { mode: 2, carryDecisions: true } } }),
      policy: pause,
    });
    run.answer("a", failing);
    const contextOut = {
      ...{ $typeName: "vasini.agent.v1.ContextOut", assumptionsMade: [], risksIdentified: [] },
      rollbackNotes: "",
      decisionsMade: [
        {
          $typeName: "vasini.agent.v1.Decision",
          ...{ decisionId: "by-hand", description: "x", rationale: "", sourceTask: "" },
        },
      ],
    } as unknown as ProvidedWork["contextOut"];
    run.give(override("a", { ...work, contextOut, data: { score: 1 } }));
    const a = run.state?.stages[0];
    const result = a?.status === "COMPLETED" ? a.result : undefined;
    expect(result?.status?.summary).toBe("did it by hand");
    expect(result?.response?.data).toEqual({ score: 1 });
    expect(a?.status === "COMPLETED" && a.sent.choice.instanceId).toBe("ada");
    expect(run.envelope("b").contextIn?.decisionMemo?.decisions.map(({ decisionId }) => decisionId)).toEqual([
      "by-hand",
    ]);
  });

  it("[PIP-10] refuses to accept nothing, and a stage that has not failed", () => {
    const run = new Run({ stages: two, policy: pause });
    expect(run.give(override("a"))).toEqual([
      'refused: cannot override: stage "a" is DISPATCHED, and only a failed stage can be',
    ]);
    run.give(cancel("a"));
    expect(run.give(override("a"))).toEqual([
      'refused: cannot accept: the last attempt of stage "a" returned no result',
    ]);
    expect(run.give(override("a", work)).at(-1)).toBe("b: attempt 1 to dev-1");
  });

  it("[PIP-06] critical work is not completed by its submitter", () => {
    const run = failed({ riskTier: RiskTier.CRITICAL }, "k1");
    const by: Actor = { ...ada, keyId: "k1" };
    expect(run.give(override("a", undefined, by))[0]).toContain('your key "k1" submitted this task');
    expect(run.give(override("a", work, by))[0]).toContain('your key "k1" submitted this task');
    expect(run.give(override("a", work, { ...ada, keyId: "k2" }))).not.toContain("refused");
    expect(run.status("a")).toBe("COMPLETED");
  });
});
