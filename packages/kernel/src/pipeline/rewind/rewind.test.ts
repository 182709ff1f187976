import { AuditEventType, EscalationKind, FailureStrategy, Outcome } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyHappening, anyPipeline, brokenInvariants, inputFor, rewinding } from "../../../testing/index.ts";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import { replay } from "../records/evolve.ts";
import type { PipelineState } from "../state/state.ts";
import { branchesAt } from "./branches-at.ts";
import { checkUnchangedSince } from "./rewind.ts";
import { listTransitions } from "./transitions.ts";

const three = { stages: stages({ a: {}, b: {}, c: {} }) };

/** The version that a transition led to, the last one where there are several. */
function versionOf(run: Run, stage: string, to: string): number {
  const index = run.state?.plan.indexOf.get(stage);
  const reported = listTransitions(run.records).findLast((move) => move.stage === index && move.to === to);
  if (!reported) throw new Error(`${stage} never went to ${to}`);
  return reported.version;
}

function statuses(run: Run): readonly unknown[] {
  return run.state?.stages.map(({ status, attempt }) => `${status} ${attempt}`) ?? [];
}

function done(): Run {
  const run = new Run(three);
  for (const stage of ["a", "b", "c"]) run.answer(stage);
  return run;
}

describe("a rewind to a transition", () => {
  it("[TUR-08] puts all stages to where they stood, and the pipeline runs on from there", () => {
    const run = done();
    expect(run.state?.life.status).toBe("COMPLETED");
    run.give(rewinding(run, versionOf(run, "a", "COMPLETED")));
    expect(run.state?.life.status).toBe("RUNNING");
    expect(statuses(run)).toEqual(["COMPLETED 1", "DISPATCHED 2", "PENDING 0"]);
    run.answer("b");
    run.answer("c");
    expect(run.state?.life.status).toBe("COMPLETED");
    expect(statuses(run)).toEqual(["COMPLETED 1", "COMPLETED 2", "COMPLETED 2"]);
  });

  it("[TUR-08] does not change when the first attempt of the run was sent", () => {
    const run = done();
    const first = run.state?.firstSentAtMs ?? 0;
    run.pass(60_000);
    run.give(rewinding(run, versionOf(run, "a", "DISPATCHED")));
    for (const stage of ["a", "b", "c"]) run.answer(stage);
    const life = run.state?.life;
    expect(life?.status === "COMPLETED" && life.summary.timing?.startedAt).toMatchObject({
      seconds: BigInt(Math.floor(first / 1_000)),
    });
  });

  it("[TUR-08] is one record, and one entry of the audit record that says who, why, from where and to where", () => {
    const run = done();
    const from = run.state?.version ?? 0;
    const to = versionOf(run, "a", "COMPLETED");
    const lines = run.give(rewinding(run, to));
    expect(lines[0]).toBe(`pipeline: back at version ${to}, so`);
    const entry = run.audit.find(({ eventType }) => eventType === AuditEventType.PIPELINE_REWOUND);
    expect(entry).toMatchObject({ actor: { id: "ada" }, rationale: "so" });
    expect(entry?.snapshot?.snapshotPayload.value).toMatchObject({
      rewoundFrom: BigInt(from),
      rewoundTo: BigInt(to),
    });
  });

  it("[TUR-08] [DIS-13] cancels what is under way; its late answer counts for nothing but what it spent", () => {
    const run = new Run(three);
    run.answer("a");
    const late = run.envelope("b").execution?.dispatchId ?? "";
    run.give(rewinding(run, versionOf(run, "a", "READY")));
    expect(run.commands).toContainEqual(expect.objectContaining({ type: "cancel", dispatchId: late }));
    expect(statuses(run)).toEqual(["DISPATCHED 2", "PENDING 0", "PENDING 0"]);
    const answer = { kind: "unreadable", reason: "late" } as const;
    expect(run.give({ type: "result", dispatchId: late, answer })).toEqual([
      `${late}: disregarded, the attempt is over`,
    ]);
    run.answer("a");
    expect(run.envelope("b").execution?.dispatchId).not.toBe(late);
  });

  it("[TUR-08] leaves an abandoned future that can be returned to", () => {
    const run = done();
    const end = run.state?.version ?? 0;
    run.give(rewinding(run, versionOf(run, "a", "COMPLETED")));
    const abandoned = listTransitions(run.records).filter((reported) => reported.abandoned);
    expect(abandoned.map(({ stage, to }) => `${stage} ${to}`)).toContain("2 COMPLETED");
    run.give(rewinding(run, end));
    expect(run.state?.life.status).toBe("COMPLETED");
    expect(statuses(run)).toEqual(["COMPLETED 1", "COMPLETED 1", "COMPLETED 1"]);
    const again = listTransitions(run.records).filter(({ version }) => version <= end);
    expect(again.filter((reported) => reported.abandoned)).toEqual([]);
  });

  it("[TUR-08] [PIP-09] gives back no money, and never a number that an attempt has had", () => {
    const run = done();
    const spent = run.state?.spending.spent;
    run.give(rewinding(run, 1));
    expect(run.state?.spending.spent).toEqual(spent);
    const sent = run.records.flatMap((record) => (record.type === "dispatched" ? [record.dispatchId] : []));
    expect(new Set(sent).size).toBe(sent.length);
    expect(statuses(run)[0]).toBe("DISPATCHED 2");
  });

  it("[TUR-08] brings back a pipeline that has failed or was aborted", () => {
    const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } };
    const failed = new Run({ ...three, policy: { failureStrategy: FailureStrategy.FAIL_FAST } });
    failed.answer("a");
    failed.answer("b", failing);
    expect(failed.state?.life.status).toBe("FAILED");
    failed.give(rewinding(failed, versionOf(failed, "a", "COMPLETED")));
    expect(failed.state?.life.status).toBe("RUNNING");
    failed.give({ type: "abort", reason: "enough", by: ada });
    failed.give(rewinding(failed, versionOf(failed, "a", "COMPLETED")));
    expect(failed.state?.life.status).toBe("RUNNING");
  });

  it("[TUR-08] to where it was paused leaves it paused, and to resume goes on", () => {
    const run = new Run(three);
    run.give({ type: "pause", reason: "lunch", by: ada });
    const paused = run.state?.version ?? 0;
    run.give({ type: "resume", reason: "back", by: ada });
    run.answer("a");
    run.give(rewinding(run, paused));
    expect(run.state?.life).toMatchObject({ status: "PAUSED", reason: "lunch" });
    run.give({ type: "resume", reason: "back", by: ada });
    expect(statuses(run)).toEqual(["DISPATCHED 2", "PENDING 0", "PENDING 0"]);
  });

  it("[TUR-08] to where a failure had paused it asks a person again, and their answer resumes it", () => {
    const failing = { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } };
    const run = new Run({ ...three, policy: { failureStrategy: FailureStrategy.PAUSE } });
    run.answer("a", failing);
    const paused = run.state?.version ?? 0;
    const asked = () => [...(run.state?.escalations.values() ?? [])];
    const [first] = asked();
    run.give({ type: "resume", reason: "fixed", by: ada });
    expect(asked()).toEqual([]);
    run.give(rewinding(run, paused));
    expect(run.state?.life.status).toBe("PAUSED");
    expect(asked()).toMatchObject([{ kind: EscalationKind.FAILURE, stage: 0, snapshot: first?.snapshot }]);
    expect(asked()[0]?.id).not.toBe(first?.id);
    run.give(rewinding(run, listTransitions(run.records).at(-1)?.version ?? 0));
    const [again] = asked();
    expect(again?.snapshot).toEqual(first?.snapshot);
    run.give({ type: "resolve", escalationId: again?.id ?? "", resolution: "resume", by: ada });
    expect([run.problem, run.state?.life.status]).toEqual([undefined, "RUNNING"]);
  });

  it("[TUR-08] refuses to discard work, by its branch, unless asked to", () => {
    const run = done();
    const input = rewinding(run, versionOf(run, "a", "COMPLETED"));
    if (input.type !== "rewind") throw new Error("not a rewind");
    const atRisk = [{ kind: "foreign", branch: "baton/p/b/1", detail: "2 commits" }] as const;
    run.give({ ...input, atRisk });
    expect(run.problem).toMatchObject({ code: "BATON-PIPELINE-008", at: "discard" });
    expect(run.problem?.message).toContain('"baton/p/b/1" has work that the hub did not make: 2 commits');
    run.give({ ...input, atRisk, discard: true });
    expect(run.problem).toBeUndefined();
  });

  it("[TUR-08] refuses a version that is not behind it, an agent, and nobody's reason", () => {
    const run = done();
    const input = rewinding(run, run.records.length);
    run.give(input);
    expect(run.problem?.code).toBe("BATON-PIPELINE-003");
    const back = rewinding(run, 2);
    if (back.type !== "rewind") throw new Error("not a rewind");
    run.give({ ...back, reason: "" });
    expect(run.problem).toMatchObject({ code: "BATON-PIPELINE-004", at: "reason" });
    run.give({ ...back, by: { kind: "agent", id: "dev-1" } });
    expect(run.problem).toMatchObject({ code: "BATON-PIPELINE-004", at: "by" });
  });

  it("[TUR-08] refuses what was agreed on when anything has moved since, but not when an agent was only observed", () => {
    const run = new Run(three);
    run.answer("a");
    const seen = run.records.length;
    const input = rewinding(run, versionOf(run, "a", "READY"));
    if (input.type !== "rewind") throw new Error("not a rewind");
    const dispatchId = run.envelope("b").execution?.dispatchId ?? "";
    run.give({ type: "turn", dispatchId, turnIndex: 1, confidence: 0.9 });
    expect([run.records.length, checkUnchangedSince(run.records, seen)]).toEqual([seen + 1, undefined]);
    run.answer("b");
    expect(checkUnchangedSince(run.records, seen)).toMatchObject({
      code: "BATON-PIPELINE-009",
      at: "from_revision",
    });
    run.give({ ...input, seen });
    expect(run.problem?.code).toBe("BATON-PIPELINE-009");
    run.give({ ...input, seen: run.records.length });
    expect(run.problem).toBeUndefined();
  });

  it("[TUR-08] leaves of the deadline what was left then", () => {
    const deadline = { seconds: 60n, nanos: 0 };
    const run = new Run({ ...three, policy: { pipelineDeadline: deadline } });
    run.pass(10_000);
    run.answer("a");
    const version = versionOf(run, "a", "COMPLETED");
    run.pass(40_000);
    run.answer("b");
    run.answer("c");
    run.give(rewinding(run, version));
    expect(run.state?.deadlineAtMs).toBe(run.world.nowMs + 50_000);
    expect(run.commands).toContainEqual({
      type: "set-timer",
      timerId: "deadline",
      atMs: run.world.nowMs + 50_000,
    });
  });
});

/** What a rewind has to bring back of the past, whatever happened since. */
function essence({ stages: all, ends, retriesUsed, rejectionsUsed }: PipelineState) {
  const rested = all.map((stage) =>
    stage.status === "READY" || stage.status === "DISPATCHED" ? "under way" : { ...stage, usedUpTo: 0 },
  );
  return { rested, ends, retriesUsed, rejectionsUsed };
}

describe("whatever happened to a pipeline", () => {
  const story = fc.tuple(
    anyPipeline(),
    fc.array(anyHappening(), { maxLength: 50, size: "max" }),
    fc.nat(1_000),
    fc.boolean(),
  );
  const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 300);

  it("[TUR-08] every version can be gone back to, and it is as it was", () => {
    fc.assert(
      fc.property(story, ([pipeline, happenings, pick, inPlaces]) => {
        const workspace = { workspace: { repository: "/r" } };
        const run = new Run(inPlaces ? { ...pipeline, task: { ...pipeline.task, ...workspace } } : pipeline);
        for (const happening of happenings) {
          const input = inputFor(run, happening);
          if (input) run.give(input);
        }
        const version = 1 + (pick % run.records.length);
        if (version === run.records.length) return;
        const past = replay(run.records.slice(0, version));
        const input = rewinding(run, version);
        const before = run.records.length;
        run.give(input);
        expect(run.problem).toBeUndefined();
        const restored = run.records.slice(before).findIndex(({ type }) => type === "restored");
        const at = replay(run.records.slice(0, before + restored + 1));
        expect(at && essence(at)).toEqual(past && essence(past));
        expect(run.state && brokenInvariants(run.state)).toEqual([]);
        if (!past) return;
        expect(branchesAt(past, run.records, before + restored + 1)).toEqual(
          branchesAt(past, run.records, version),
        );
      }),
      { numRuns },
    );
  });
});
