import { FailureStrategy, Outcome, RefSchema, ResponseStatus, RiskTier } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { testFleet } from "../../testing/fleet.ts";
import { stages } from "../../testing/pipelines.ts";
import { ada, Run } from "../../testing/run.ts";
import { startMs, testPolicy } from "../../testing/world.ts";
import type { Actor } from "./decision/input.ts";

/** What the simulation and the properties found once, so that it is never found again. */
describe("a pipeline that has ended", () => {
  const ended = () => {
    const run = new Run();
    run.give({ type: "abort", reason: "enough", by: ada });
    return run;
  };

  it("[PIP-02] moves no more: a late result is on record and nothing else happens", () => {
    const run = ended();
    const before = run.state?.stages;
    expect(run.answer("a")).toEqual(["p/a/1: disregarded, the run has ended"]);
    expect(run.fireTimer("timeout")).toEqual([]);
    expect(run.give({ type: "agent-lost", dispatchId: "p/a/1", reason: "gone" })).toEqual([]);
    expect(run.give({ type: "not-delivered", dispatchId: "p/a/1", reason: "refused" })).toEqual([]);
    expect(run.give({ type: "turn", dispatchId: "p/a/1", turnIndex: 0, confidence: 1 })).toEqual([]);
    expect(run.give({ type: "wake" })).toEqual([]);
    expect(run.state?.stages).toBe(before);
  });

  it("[PIP-10] refuses what people still want of it", () => {
    const run = ended();
    expect(run.give({ type: "pause", reason: "lunch", by: ada })).toEqual([
      "refused: cannot pause: the run has ended (ABORTED)",
    ]);
    const skip = { type: "skip-stage", stageId: "a", reason: "again", by: ada } as const;
    expect(run.give(skip)).toEqual(["refused: cannot skip a stage: the run has ended (ABORTED)"]);
    expect(run.problem?.fix).toBe(
      "take it back with baton rewind p --to REVISION (baton runs transitions p lists them), or baton rerun p --from a",
    );
    expect(run.give({ type: "resolve", escalationId: "p/e1", resolution: "go on", by: ada })).toEqual([
      "refused: cannot resolve: the run has ended (ABORTED)",
    ]);
  });
});

describe("one decision", () => {
  it("[OBS-02] gives every audit entry an id of its own", () => {
    const run = new Run();
    run.fireTimer("timeout");
    run.fireTimer("retry");
    run.fireTimer("timeout");
    const ids = run.audit.map(({ auditId }) => auditId);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it("[DIS-07] does not send an agent more than it can take", () => {
    const given = stages({ a: {}, b: { dependsOnStages: [] } });
    const run = new Run({ stages: given }, { fleet: testFleet([{ packId: "dev", maxTasks: 1 }]) });
    expect([run.status("a"), run.status("b")]).toEqual(["DISPATCHED", "READY"]);
  });

  it("[DIS-05] does not send a pack more than the policy allows", () => {
    const given = stages({ a: {}, b: { dependsOnStages: [] } });
    const policy = testPolicy({ routes: { code: { allowedPackIds: ["dev"] } }, maxPerPackConcurrent: 1 });
    const run = new Run({ stages: given }, { policy });
    expect([run.status("a"), run.status("b")]).toEqual(["DISPATCHED", "READY"]);
  });
});

describe("the deadline of the task", () => {
  const late = () => {
    const given = stages({ a: {}, b: {}, c: { dependsOnStages: ["a"] } });
    const run = new Run({ stages: given, task: { deadline: timestampFromMs(startMs + 1000) } });
    run.pass(2000);
    run.answer("a");
    return run;
  };

  it("[DIS-13] is not overrun: what could only come too late is not sent, and a person is asked", () => {
    const run = late();
    expect([run.status("b"), run.status("c")]).toEqual(["READY", "READY"]);
    expect(run.openQuestions()[0]).toBe('the deadline of the task has passed before stage "b" could be sent');
    expect(run.give({ type: "wake" })).toEqual([]);
  });

  it("[DIS-13] is waived for all stages by one answer", () => {
    const run = late();
    const answer = { type: "resolve", escalationId: "p/e1", resolution: "go on", by: ada } as const;
    expect(run.give(answer).filter((line) => line.includes("attempt"))).toEqual([
      "b: attempt 1 to dev-1",
      "c: attempt 1 to dev-1",
    ]);
    expect(run.openQuestions()).toEqual([]);
  });
});

describe("the queue", () => {
  it("[DIS-05] does not turn away who waits in it already", () => {
    const run = new Run({}, { fleet: testFleet([{ packId: "dev", activeTasks: 4 }]) });
    run.world = { ...run.world, queueDepth: 50, fleet: testFleet([{ packId: "dev" }]) };
    expect(run.give({ type: "wake" })).toEqual(["a: attempt 1 to dev-1"]);
  });
});

describe("approval of security flags", () => {
  const flagged = (more: { readonly keyId?: string } = {}) =>
    new Run({
      ...more,
      stages: stages({
        a: { handoffPolicy: { escalation: { autoEscalateOnSecurityFlag: ["touches_auth"] } } },
      }),
      task: { safety: { securityFlags: { touchesAuth: true } } },
    });

  it("[DIS-16] stays open when the pipeline is paused and resumed", () => {
    const run = flagged();
    run.give({ type: "pause", reason: "lunch", by: ada });
    run.give({ type: "resume", reason: "back", by: ada });
    expect(run.openQuestions()).toHaveLength(1);
    const approval = {
      type: "resolve",
      escalationId: "p/e1",
      resolution: "approve",
      reason: "known",
      by: ada,
    } as const;
    expect(run.give(approval).at(-1)).toBe("a: attempt 1 to dev-1");
  });

  it("[DIS-16] given while the pipeline is paused counts when it goes on", () => {
    const run = flagged();
    run.give({ type: "pause", reason: "lunch", by: ada });
    run.give({ type: "resolve", escalationId: "p/e1", resolution: "approve", reason: "known", by: ada });
    expect(run.state?.life.status).toBe("PAUSED");
    expect(run.give({ type: "resume", reason: "back", by: ada }).at(-1)).toBe("a: attempt 1 to dev-1");
  });

  it("[DIS-16] wants a reason and another key than the one that submitted it, and all of it is on record", () => {
    const run = flagged({ keyId: "ci" });
    const approval = { type: "resolve", escalationId: "p/e1", resolution: "approve" } as const;
    const refused = (by: Actor, reason?: string) => run.give({ ...approval, ...(reason && { reason }), by });
    expect(refused({ ...ada, keyId: "bo" }, " ")).toEqual(["refused: cannot approve without a reason"]);
    expect(refused({ ...ada, keyId: "bo" })).toEqual(["refused: cannot approve without a reason"]);
    expect(refused({ ...ada, keyId: "ci" }, "mine")).toEqual([
      'refused: your key "ci" submitted this task, and what it touches wants other eyes',
    ]);
    expect(run.openQuestions()).toHaveLength(1);
    const by = { kind: "human", id: "bo", keyId: "bo" } as const;
    expect(run.give({ ...approval, reason: "looked at it", by }).at(-1)).toBe("a: attempt 1 to dev-1");
    const answered = run.audit.find(({ action }) => action === "answered: approve");
    expect([answered?.actor?.id, answered?.rationale]).toEqual(["bo", "looked at it"]);
    expect(answered?.timestamp).toBeDefined();
  });

  it("[DIS-16] can be refused by the submitter: the pipeline is aborted", () => {
    const run = flagged({ keyId: "ci" });
    run.give({ type: "resolve", escalationId: "p/e1", resolution: "abort", by: { ...ada, keyId: "ci" } });
    expect(run.state?.life.status).toBe("ABORTED");
  });
});

describe("answers", () => {
  it("[DIS-16] count only when they are among the options, and come from a person", () => {
    const run = new Run({
      stages: stages({
        a: { handoffPolicy: { escalation: { autoEscalateOnSecurityFlag: ["touches_auth"] } } },
      }),
      task: { safety: { securityFlags: { touchesAuth: true } } },
    });
    const answer = { type: "resolve", escalationId: "p/e1", resolution: "no, never", by: ada } as const;
    expect(run.give(answer)).toEqual(['refused: "no, never" is no answer to this']);
    const by = { kind: "agent", id: "dev-1" } as const;
    expect(run.give({ ...answer, resolution: "approve", by })).toEqual([
      "refused: this answer is a person's",
    ]);
    expect(run.status("a")).toBe("READY");
  });

  it("[PIP-10] have somebody and a reason behind them", () => {
    const run = new Run();
    expect(run.give({ type: "pause", reason: "", by: ada })).toEqual([
      "refused: cannot pause without a reason",
    ]);
    expect(run.give({ type: "pause", reason: "x", by: { kind: "human", id: "" } })).toEqual([
      "refused: nobody asks for it",
    ]);
    expect(run.give({ type: "abort", reason: "x", by: { kind: "agent", id: "dev-1" } })).toEqual([
      "refused: an agent cannot abort a run",
    ]);
  });
});

describe("feedback", () => {
  it("[PIP-08] is not lost when the attempt that carries it never arrived", () => {
    const run = new Run({ task: { riskTier: RiskTier.CRITICAL } });
    run.answer("a");
    const verdict = { kind: "reject", targetStageId: undefined, instructions: ["use tabs"] } as const;
    run.give({ type: "review", stageId: "a", dispatchId: "p/a/1", verdict, reason: "no", by: ada });
    run.give({ type: "not-delivered", dispatchId: "p/a/2", reason: "refused" });
    run.fireTimer("retry");
    expect(run.envelope("a").reviewFeedback?.instructions).toEqual(["no", "use tabs"]);
  });
});

describe("a rewind", () => {
  it("[PIP-08] goes to no stage that was skipped", () => {
    const optional = { required: false };
    const given = stages({
      a: {},
      x: { ...optional, condition: "false" },
      y: { ...optional, dependsOnStages: ["x"] },
      z: { ...optional, dependsOnStages: ["y", "a"], condition: 'nodes["a"].ran' },
    });
    const run = new Run({ stages: given });
    run.answer("a");
    run.answer("z", { response: { status: ResponseStatus.RETRY_WITH_INSTRUCTION, message: "again" } });
    expect([run.status("a"), run.status("y")]).toEqual(["DISPATCHED", "PENDING"]);
  });

  it("[PIP-09] a deadline pauses before the attempt that it ends can fail the pipeline", () => {
    const run = new Run({
      stages: stages({ a: { handoffPolicy: { retry: { maxAttempts: 1 } } } }),
      policy: { failureStrategy: FailureStrategy.FAIL_FAST, pipelineDeadline: { seconds: 600n } },
    });
    run.fireTimer("timeout");
    expect(run.state?.life.status).toBe("PAUSED");
  });
});

describe("tools", () => {
  it("[DIS-16] that the task needs and may not use keep it from being sent", () => {
    const contract = { taskId: "t", title: "t", acceptanceCriteria: ["c"], requiredTools: ["npm"] };
    const denied = new Run({ task: { contract, safety: { toolDenylist: ["npm"] } } });
    expect(denied.openQuestions()).toEqual(['stage "a" needs npm, which the safety context does not allow']);
    const unlisted = new Run({ task: { contract, safety: { toolAllowlist: ["git"] } } });
    expect(unlisted.status("a")).toBe("READY");
    const allowed = new Run({ task: { contract, safety: { toolAllowlist: ["git", "npm"] } } });
    expect(allowed.status("a")).toBe("DISPATCHED");
  });
});

describe("what one stage gives back", () => {
  it("[PIP-03] lets the next one start in serial mode, also when the first one cannot be sent after all", () => {
    const freshness = { maxRefStaleness: { seconds: 60n }, requireDigest: true };
    const given = stages({ a: { handoffPolicy: { freshness } }, b: { dependsOnStages: [] } });
    const run = new Run({ stages: given, policy: { serial: true } });
    const failed = {
      ref: create(RefSchema, { uriOrLocator: "src/it.ts" }),
      outcome: { ok: false, reason: "gone" },
    } as const;
    run.give({ type: "refreshed", stageId: "a", attempt: 1, refs: [failed] });
    expect(run.status("b")).toBe("DISPATCHED");
  });
});

describe("names", () => {
  it("[DIS-13] of stages may hold blanks and slashes", () => {
    const run = new Run({ stages: stages({ "do it / now": {} }) });
    expect(run.fireTimer("timeout")).toEqual(["do it / now: tried again, waits for the backoff"]);
    expect(run.fireTimer("retry").at(-1)).toBe("do it / now: attempt 2 to dev-1");
    expect(run.answer("do it / now").at(-1)).toBe("pipeline: completed");
  });
});

describe("a review that fails the stage", () => {
  it("[PIP-06] says who judged it", () => {
    const run = new Run({ task: { riskTier: RiskTier.CRITICAL } });
    run.answer("a");
    const verdict = { kind: "fail" } as const;
    run.give({ type: "review", stageId: "a", dispatchId: "p/a/1", verdict, reason: "hopeless", by: ada });
    const entry = run.audit.find(({ action }) => action === "the gate did not pass");
    expect([entry?.actor?.id, entry?.rationale]).toEqual(["ada", "hopeless"]);
  });
});

describe("questions", () => {
  it("[PIP-09] are asked once about one thing, however many dependencies it has", () => {
    const given = stages({
      a: { dependsOnStages: [] },
      b: { dependsOnStages: [], required: false },
      z: { dependsOnStages: ["a", "b"] },
    });
    const run = new Run({ stages: given, policy: { failureStrategy: FailureStrategy.SKIP_FAILED } });
    run.answer("b", { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } });
    run.answer("a");
    expect(run.openQuestions()).toHaveLength(1);
    run.give({ type: "resume", reason: "so", by: ada });
    expect(run.openQuestions()).toHaveLength(1);
    expect(run.state?.life.status).toBe("PAUSED");
  });

  it("[PIP-09] are closed when the stage waits for something else", () => {
    const given = stages({
      a: { budget: { maxTokens: 10n } },
      b: { dependsOnStages: [], taskType: "dance" },
    });
    const run = new Run({ stages: given, policy: { budget: { maxTokens: 10n } } });
    expect(run.openQuestions()).toHaveLength(1);
    run.world = { ...run.world, policy: testPolicy({ routes: { dance: { allowedPackIds: ["dev"] } } }) };
    run.give({ type: "wake" });
    expect(run.openQuestions()).toEqual([]);
  });
});

describe("stages that can never run", () => {
  const unfillable = { inputMapping: { who: "{{input.nobody}}" } };

  it("[SAC-06] are left out at the start, and what depends on them", () => {
    const given = stages({ a: { ...unfillable, required: false }, b: { required: false } });
    const run = new Run({ stages: given });
    expect([run.status("a"), run.status("b")]).toEqual(["SKIPPED", "SKIPPED"]);
    expect(run.state?.life.status).toBe("COMPLETED");
  });

  it("[SAC-06] are asked about again after each resume, when they are required", () => {
    const run = new Run({ stages: stages({ a: unfillable }) });
    expect(run.state?.life.status).toBe("PAUSED");
    run.give({ type: "resume", reason: "perhaps now", by: ada });
    expect(run.state?.life.status).toBe("PAUSED");
    expect(run.openQuestions()[0]).toMatch(/^stage "a" cannot run: its input "who" cannot be filled/);
  });
});

describe("a resume", () => {
  it("[PIP-10] takes back two stages that failed, also when one comes to depend on the other", () => {
    const optional = { required: false };
    const given = stages({
      late: { ...optional, dependsOnStages: [] },
      gone: { ...optional, dependsOnStages: [], condition: "false" },
      // It is left out because of "gone", while "late" is still under way.
      join: { ...optional, dependsOnStages: ["late", "gone"] },
      after: { ...optional, condition: "true" },
    });
    const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } };
    const run = new Run({ stages: given });
    run.answer("after", failing);
    run.answer("late", failing);
    expect([run.status("after"), run.status("late")]).toEqual(["FAILED", "FAILED"]);
    expect(run.give({ type: "resume", reason: "fixed", by: ada })).toContain(
      "late: sent back, resets join, after",
    );
    expect(run.status("late")).toBe("DISPATCHED");
  });
});
