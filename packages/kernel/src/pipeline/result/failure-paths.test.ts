import { Outcome, RefSchema, RiskTier } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { testFleet } from "../../../testing/fleet.ts";
import { stages } from "../../../testing/pipelines.ts";
import { resultFor } from "../../../testing/results.ts";
import { ada, Run } from "../../../testing/run.ts";
import { startMs, testPolicy } from "../../../testing/world.ts";

const submitted = (run: Run, from = 3) => run.audited().slice(from);

/** Every row of the table of failure paths in A §3.2, as a story with the records it leaves. */
describe("failure paths of dispatch", () => {
  it("[DIS-05] [DIS-17] admission: a full queue rejects and asks a person", () => {
    const run = new Run({}, { queueDepth: 50 });
    expect(run.give({ type: "wake" })).toEqual([]);
    expect(run.openQuestions()).toEqual(["50 tasks wait already, and 50 may"]);
    expect(run.audited()).toEqual(["PIPELINE_CREATED", "DISPATCH_DECISION a", "ESCALATION a"]);
    expect(run.audit[2]?.snapshot?.snapshotPayload.value).toMatchObject({
      admission: { breakerState: "closed", queueDepth: 50, maxQueueDepth: 50 },
    });
    run.world = { ...run.world, queueDepth: 0 };
    expect(run.give({ type: "wake" })).toEqual([
      "answered: an agent can take it now",
      "a: attempt 1 to dev-1",
    ]);
  });

  it("[DIS-05] [DIS-17] admission: an open breaker of the task type rejects and asks a person", () => {
    const fleet = testFleet([{ packId: "dev" }], { openBreakers: ["task-type code"] });
    const run = new Run({}, { fleet });
    expect(run.openQuestions()).toEqual(['too many tasks of type "code" failed lately']);
    expect(run.status("a")).toBe("READY");
  });

  it("[DIS-06] [DIS-17] match: no route for the task type asks a person", () => {
    const run = new Run({ stages: stages({ a: { taskType: "dance" } }) });
    expect(run.openQuestions()).toEqual(['the routing policy has no route for task type "dance"']);
    const policy = testPolicy({ routes: { dance: { allowedPackIds: ["dev"] } } });
    run.world = { ...run.world, policy };
    expect(run.give({ type: "wake" }).at(-1)).toBe("a: attempt 1 to dev-1");
  });

  it("[DIS-08] [DIS-17] filter: nobody fits, so the fallback is tried under the same filter", () => {
    const policy = testPolicy({ routes: { code: { allowedPackIds: ["nobody"], fallbackPackId: "dev" } } });
    const run = new Run({}, { policy });
    expect(run.records.at(-1)).toMatchObject({
      type: "dispatched",
      choice: { packId: "dev", usedFallback: true },
    });
  });

  it("[DIS-08] [DIS-17] filter: a fallback that does not pass asks a person", () => {
    const fleet = testFleet([{ packId: "dev", manifest: { interface: { acceptedRiskTiers: ["LOW"] } } }]);
    const policy = testPolicy({ routes: { code: { allowedPackIds: ["nobody"], fallbackPackId: "dev" } } });
    const run = new Run({}, { fleet, policy });
    expect(run.openQuestions()).toEqual(['no agent can take "code"']);
    expect(run.audit[1]?.rationale).toBe('no agent can take "code"');
  });

  it("[DIS-11] [DIS-17] context: stale references under a strict policy block and ask a person", () => {
    const handoffPolicy = { freshness: { maxRefStaleness: { seconds: 60n }, requireDigest: true } };
    const run = new Run({ stages: stages({ a: { handoffPolicy } }) });
    expect(run.records.at(-1)).toMatchObject({ type: "waited", wait: { kind: "refresh" } });
    const failed = {
      ref: create(RefSchema, { uriOrLocator: "src/it.ts" }),
      outcome: { ok: false, reason: "no such file" },
    } as const;
    expect(run.give({ type: "refreshed", stageId: "a", attempt: 1, refs: [failed] })).toEqual([
      "asks a person about FRESHNESS: references are too old and cannot be read again: src/it.ts: no such file",
      "a: waits for readable references",
    ]);
    expect(run.give({ type: "resolve", escalationId: "p/e1", resolution: "retry", by: ada })).toEqual([
      "answered: retry",
      "a: waits for its turn",
      "a: waits for references",
    ]);
  });

  it("[DIS-11] [DIS-17] context: stale references under another policy travel with the degraded marker", () => {
    const handoffPolicy = { freshness: { maxRefStaleness: { seconds: 60n } } };
    const run = new Run({ stages: stages({ a: { handoffPolicy } }) });
    const failed = {
      ref: create(RefSchema, { uriOrLocator: "src/it.ts" }),
      outcome: { ok: false, reason: "no such file" },
    } as const;
    expect(run.give({ type: "refreshed", stageId: "a", attempt: 1, refs: [failed] })).toEqual([
      "a: attempt 1 to dev-1",
    ]);
    expect(run.envelope("a").refs).toMatchObject([{ degraded: true, degradedReason: "no such file" }]);
    const decision = run.audit.find(({ action }) => action === "chose dev-1");
    expect(decision?.snapshot?.snapshotPayload.value).toMatchObject({
      refFreshness: [
        { uriOrLocator: "src/it.ts", wasStale: true, refreshSucceeded: false, dispatchedWithDegraded: true },
      ],
    });
  });

  it("[DIS-11] context: what was read again travels with its digest, and what is fresh is not read", () => {
    const handoffPolicy = { freshness: { maxRefStaleness: { seconds: 60n } } };
    const refs = [
      { uriOrLocator: "old" },
      { uriOrLocator: "new", digest: "sha256:2", fetchedAt: timestampFromMs(startMs) },
    ];
    const run = new Run({ stages: stages({ a: { handoffPolicy } }), task: { refs } });
    const refresh = run.commands.find(({ type }) => type === "refresh");
    expect(refresh).toMatchObject({ stageId: "a", attempt: 1, refs: [{ uriOrLocator: "old" }] });
    const outcome = { ok: true, digest: "sha256:1", versionOrSha: "abc", fetchedAtMs: startMs } as const;
    run.give({
      type: "refreshed",
      stageId: "a",
      attempt: 1,
      refs: [{ ref: create(RefSchema, { uriOrLocator: "old" }), outcome }],
    });
    expect(run.envelope("a").refs.map(({ uriOrLocator, digest }) => [uriOrLocator, digest])).toEqual([
      ["old", "sha256:1"],
      ["new", "sha256:2"],
    ]);
  });

  it("[DIS-12] [DIS-17] dispatch: a transport failure is tried again with backoff, under a new dispatch id", () => {
    const run = new Run();
    const first = run.envelope("a").execution;
    expect(run.give({ type: "not-delivered", dispatchId: "p/a/1", reason: "connection refused" })).toEqual([
      "a: tried again, waits for the backoff",
    ]);
    expect(run.give({ type: "timer", timerId: "retry 2 a" })).toEqual([]); // It fired early.
    expect(run.fireTimer("retry")).toEqual(["a: waits for its turn", "a: attempt 2 to dev-1"]);
    const second = run.envelope("a").execution;
    expect([first?.dispatchId, second?.dispatchId]).toEqual(["p/a/1", "p/a/2"]);
    expect([first?.attemptNumber, second?.attemptNumber]).toEqual([1, 2]);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
  });

  it("[DIS-13] dispatch: an envelope that did not leave is on record at once, and takes nothing from the retries", () => {
    const run = new Run();
    for (const attempt of [1, 2, 3, 4, 5]) {
      const reason = "the agent is not connected";
      run.give({ type: "not-delivered", dispatchId: `p/a/${attempt}`, reason, away: true });
      expect(run.audit.at(-1)).toMatchObject({ action: "the task was not delivered", rationale: reason });
      run.fireTimer("retry");
    }
    expect(run.envelope("a").execution?.dispatchId).toBe("p/a/6");
    expect(run.state?.retriesUsed).toBe(0);
  });

  it("[DIS-12] dispatch: decision and policy are on record before the envelope leaves", () => {
    const run = new Run();
    expect(run.audited()).toEqual(["PIPELINE_CREATED", "DISPATCH_DECISION a", "DISPATCH_SENT a"]);
    expect(run.audit[1]?.snapshot?.snapshotPayload.value).toMatchObject({
      selectedPackId: "dev",
      selectedInstanceId: "dev-1",
      candidatePackIds: ["dev"],
      routingPolicyVersion: "1.0.0",
      attemptNumber: 1,
    });
    expect(run.commands.map(({ type }) => type)).toEqual(["notify-fleet", "send", "set-timer"]);
  });

  it("[DIS-13] [DIS-17] await: a timeout cancels, counts as a retryable failure and dispatches again", () => {
    const run = new Run();
    expect(run.fireTimer("timeout")).toEqual(["a: tried again, waits for the backoff"]);
    expect(submitted(run)).toEqual(["DISPATCH_TIMEOUT a"]);
    expect(run.commands.find(({ type }) => type === "cancel")).toMatchObject({
      dispatchId: "p/a/1",
      attempt: 1,
    });
    expect(run.audit[3]?.snapshot?.snapshotPayload.value).toMatchObject({ cancelSignalSent: true });
  });

  it("[DIS-03] [DIS-17] await: a lost agent is treated as a timeout", () => {
    const run = new Run();
    expect(run.give({ type: "agent-lost", dispatchId: "p/a/1", reason: "its lease ran out" })).toEqual([
      "a: tried again, waits for the backoff",
    ]);
    expect(run.commands.some(({ type }) => type === "cancel")).toBe(true);
  });

  it("[DIS-13] a late result of a cancelled attempt changes nothing and is audited", () => {
    const run = new Run();
    const late = resultFor(run.envelope("a"));
    run.fireTimer("timeout");
    const before = { stages: run.state?.stages, life: run.state?.life, retries: run.state?.retriesUsed };
    expect(
      run.give({ type: "result", dispatchId: "p/a/1", answer: { kind: "result", result: late } }),
    ).toEqual(["p/a/1: disregarded, the attempt is over"]);
    expect({ stages: run.state?.stages, life: run.state?.life, retries: run.state?.retriesUsed }).toEqual(
      before,
    );
    expect(run.audit.at(-1)?.action).toBe("disregarded a result");
    run.fireTimer("retry");
    expect(
      run.give({ type: "result", dispatchId: "p/a/1", answer: { kind: "result", result: late } }),
    ).toEqual(["p/a/1: disregarded, the attempt is over"]);
    expect(run.status("a")).toBe("DISPATCHED");
  });

  it.each([
    ["another trace", { trace: { traceId: "other", spanId: "s", tenantId: "acme" } }, "trace_id"],
    ["another dispatch", { dispatchId: "p/a/7" }, "dispatch_id"],
    ["another attempt", { attemptNumber: 7 }, "attempt_number"],
    ["another task", { taskId: "task-7" }, "task_id"],
    ["another major version", { protocolVersion: { schemaVersion: "2.0.0" } }, "schema version 2.0.0"],
    ["no evidence", { evidence: {} }, "evidence"],
    ["no outcome", { status: { outcome: Outcome.UNSPECIFIED } }, "status.outcome is not set"],
  ])(
    "[DIS-14] [DIS-17] receive: a result with %s is invalid, counted and tried again",
    (_, init, problem) => {
      const run = new Run();
      const [disregarded, retried] = run.answer("a", init);
      expect(disregarded).toContain(problem);
      expect(retried).toBe("a: tried again, waits for the backoff");
      expect(submitted(run)).toEqual(["RESULT_INVALID a"]);
      const report = run.commands.findLast((command) => command.type === "notify-fleet");
      expect(report).toMatchObject({ report: { kind: "ended", outcome: "invalid", instanceId: "dev-1" } });
    },
  );

  it("[DIS-14] [DIS-17] receive: once the instance is shut out, the next candidate gets the work", () => {
    const run = new Run(
      {},
      { fleet: testFleet([{ packId: "dev" }, { packId: "dev", instanceId: "dev-2", avgLatencyMs: 900 }]) },
    );
    run.give({ type: "result", dispatchId: "p/a/1", answer: { kind: "unreadable", reason: "not JSON" } });
    const quarantined = { packId: "dev", health: "QUARANTINED" } as const;
    run.world = { ...run.world, fleet: testFleet([quarantined, { packId: "dev", instanceId: "dev-2" }]) };
    expect(run.fireTimer("retry").at(-1)).toBe("a: attempt 2 to dev-2");
  });

  it("[DIS-14] [DIS-17] receive: once every instance is shut out, a person is asked", () => {
    const run = new Run();
    run.give({ type: "result", dispatchId: "p/a/1", answer: { kind: "unreadable", reason: "not JSON" } });
    run.world = { ...run.world, fleet: testFleet([{ packId: "dev", health: "QUARANTINED" }]) };
    run.fireTimer("retry");
    expect(run.openQuestions()).toEqual(['no agent can take "code"']);
    expect(run.status("a")).toBe("DISPATCHED");
    run.world = { ...run.world, fleet: testFleet([{ packId: "dev" }]) };
    expect(run.give({ type: "wake" }).at(-1)).toBe("a: attempt 2 to dev-1");
  });

  it("waits for a busy fleet without asking anybody", () => {
    const run = new Run({}, { fleet: testFleet([{ packId: "dev", activeTasks: 4 }]) });
    expect(run.openQuestions()).toEqual([]);
    expect(run.records.at(-1)).toMatchObject({
      wait: { kind: "agent", reason: 'every agent that may take "code" is busy' },
    });
    run.world = { ...run.world, fleet: testFleet([{ packId: "dev" }]) };
    expect(run.give({ type: "wake" })).toEqual(["a: attempt 1 to dev-1"]);
  });

  it("[DIS-16] asks before a task that raises a security flag is sent, and goes on when it is approved", () => {
    const handoffPolicy = { escalation: { autoEscalateOnSecurityFlag: ["touches_auth", "touches_billing"] } };
    const task = { safety: { securityFlags: { touchesBilling: true } } };
    const run = new Run({ stages: stages({ a: { handoffPolicy } }), task });
    expect(run.openQuestions()).toEqual([
      'stage "a" touches billing, and the policy wants a person to know first',
    ]);
    expect(run.give({ type: "wake" })).toEqual([]);
    const approval = {
      type: "resolve",
      escalationId: "p/e1",
      resolution: "approve",
      reason: "known",
    } as const;
    expect(run.give({ ...approval, by: ada })).toEqual([
      "answered: approve",
      "a: flags approved",
      "a: waits for its turn",
      "a: attempt 1 to dev-1",
    ]);
  });

  it("[DIS-16] stops an agent that takes more steps than allowed", () => {
    const run = new Run({ task: { safety: { maxAutonomousSteps: 10 } } });
    expect(run.give({ type: "steps", dispatchId: "p/a/1", steps: 10 })).toEqual([]);
    expect(run.give({ type: "steps", dispatchId: "p/a/1", steps: 11 })[0]).toBe(
      "a: failed, the agent took 11 autonomous steps, and 10 were allowed",
    );
    expect(run.state?.life.status).toBe("PAUSED");
    expect(run.commands.some(({ type }) => type === "cancel")).toBe(true);
  });

  it("[DIS-16] does not accept a result that took more steps than allowed", () => {
    const run = new Run({ task: { safety: { maxAutonomousSteps: 10 } } });
    run.answer("a", { usage: { steps: 11 } });
    expect([run.status("a"), run.state?.life.status]).toEqual(["FAILED", "PAUSED"]);
  });

  it("[DIS-07] raises the risk of a task to that of its route", () => {
    const policy = testPolicy({
      routes: { code: { allowedPackIds: ["dev"], minRiskTier: RiskTier.CRITICAL } },
    });
    const run = new Run({ task: { riskTier: RiskTier.LOW } }, { policy });
    expect(run.envelope("a").execution?.riskTier).toBe(RiskTier.CRITICAL);
  });
});
