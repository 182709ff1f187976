/**
 * Records journals in the current form, which every later version of Baton has to read:
 * `node packages/runtime/testing/record-journal.ts`. Existing recordings are never overwritten.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ArtifactAction,
  CacheMode,
  CacheRecordSchema,
  EdgeKind,
  FailureStrategy,
  IssuerKind,
  Outcome,
  PressureLevel,
  ResponseStatus,
  RiskTier,
  UsageSchema,
} from "@baton/contract";
import type { Guarded, PipelineInput, ReportedStep, World } from "@baton/kernel";
import {
  ada,
  constitutionOf,
  governance,
  Run,
  runChecks,
  stages,
  type TestPipeline,
  testFleet,
} from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { storedForm, writeRecords } from "../src/journal/codec.ts";
import { ContentKeeper } from "../src/journal/contents.ts";
import { type RecordedJournal, summaryOf } from "./recorded-journal.ts";
import { rewoundStories } from "./rewound-stories.ts";

/** A run that keeps its journal as the hub stores it: a text for each decision. */
class RecordedRun extends Run {
  readonly texts: string[] = [];
  readonly contents = new Map<string, string>();

  override give(input: PipelineInput): readonly string[] {
    const before = this.records?.length ?? 0;
    const lines = super.give(input);
    const records = this.records.slice(before);
    if (records.length > 0) pending.push({ run: this, records });
    return lines;
  }
}

/** The first input is decided before the fields of the run exist, so that its text is written afterwards. */
const pending: { readonly run: RecordedRun; readonly records: Run["records"] }[] = [];

function flush(): void {
  for (const { run, records } of pending.splice(0)) {
    const keeper = new ContentKeeper();
    run.texts.push(writeRecords(records, keeper));
    for (const { digest, bytes } of keeper.contents)
      run.contents.set(digest, Buffer.from(bytes).toString("base64"));
  }
}

function answered(status: ResponseStatus, score: number) {
  return { response: { status, message: "so", data: { score, nested: [{ $typeName: "theirs" }] } } };
}

/** A governed task whose outcome is reused. */
const reusing = {
  stages: stages({ a: {} }),
  cache: { key: "a".repeat(64), fingerprint: "b".repeat(64) },
  task: {
    governance: {
      ...{ sapVersion: "2.0", taskId: "t-1", correlationId: "c-1" },
      issuer: { agentId: "ada", kind: IssuerKind.USER },
      pressureLevel: PressureLevel.INSTANT,
      cachePolicy: { mode: CacheMode.PREFER },
    },
  },
} as const satisfies TestPipeline;

type RecordedStory = (start: (pipeline: TestPipeline, world?: Partial<World>) => RecordedRun) => RecordedRun;

const stories: Readonly<Record<string, RecordedStory>> = {
  ...rewoundStories,
  "steered-by-a-person": (start) => {
    const run = start({
      stages: stages({ a: {}, b: { required: false }, c: { dependsOnStages: ["a"] } }),
      policy: { failureStrategy: FailureStrategy.PAUSE, budget: { maxTokens: 100n } },
    });
    const reason = "so it shall be";
    run.give({
      type: "change-limits",
      budget: { tokens: 900 },
      deadlineAtMs: run.world.nowMs + 60_000,
      reason,
      by: ada,
    });
    run.answer("a", { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } });
    const work = { summary: "done by hand", commitSha: "abc", artifacts: [], contextOut: undefined };
    run.give({
      type: "override-stage",
      stageId: "a",
      provided: { ...work, data: { score: 1 } },
      reason,
      by: ada,
    });
    run.give({ type: "skip-stage", stageId: "b", reason, by: ada });
    run.give({ type: "cancel-stage", stageId: "c", reason, by: ada });
    return run;
  },
  "outcome-stored-after-a-miss": (start) => {
    const run = start(reusing);
    run.world = { ...run.world, digest: () => new Uint8Array(32), harmlessTools: new Set(["search"]) };
    const { dispatchId = "" } = run.envelope("a").execution ?? {};
    const tool = { name: "search", arguments: {} };
    run.give({ type: "steps", dispatchId, steps: 1, tool });
    run.answer("a", answered(ResponseStatus.SUCCESS, 1));
    return run;
  },
  "answered-from-the-cache": (start) => {
    const record = create(CacheRecordSchema, {
      ...{ cacheKey: reusing.cache.key, producer: "dev", riskTier: RiskTier.CRITICAL },
      result: { protocolVersion: { schemaVersion: "1.0.0" }, status: { outcome: Outcome.SUCCESS } },
      ...{ sourceTaskId: "t-0", sourcePipelineId: "p-0" },
    });
    return start(reusing, { cache: { record, waiters: 0 } });
  },
  "labelled-when-it-had-ended": (start) => {
    const run = start({ task: { labels: [{ name: "team", value: "core" }] }, stages: stages({ a: {} }) });
    run.answer("a");
    const labels = [
      { name: "team", value: "" },
      { name: "eval-result", value: "passed" },
    ];
    run.give({ type: "label", labels, by: ada });
    return run;
  },
  "graph-with-edges": (start) => {
    const run = start({
      task: { inputs: { company: "Acme", long: "long ".repeat(100) } },
      stages: stages({
        research: { required: false, errorStageId: "rescue" },
        rate: {
          required: false,
          dependsOnStages: ["research"],
          condition: "response.data.score > 0.2",
          inputMapping: { found: "{{research.data}}", who: "{{input.company}}", why: "{{input.long}}" },
          rewindEdges: [{ targetStageId: "research", condition: "response.data.score < 0.5", maxTimes: 1 }],
        },
        rescue: {
          required: false,
          dependsOnStages: ["research"],
          condition: 'nodes["research"].status == "failure"',
        },
        report: { required: false, dependsOnStages: ["rate", "rescue"], condition: 'nodes["rate"].ran' },
      }),
    });
    run.answer("research", answered(ResponseStatus.SUCCESS, 0.9));
    run.pass(1_000).answer("rate", answered(ResponseStatus.SUCCESS, 0.4));
    run.pass(1_000).answer("research", answered(ResponseStatus.SUCCESS, 0.8));
    run.pass(1_000).answer("rate", answered(ResponseStatus.SUCCESS, 0.7));
    run.pass(1_000).answer("report", answered(ResponseStatus.COMPLETED, 1));
    return run;
  },
  "edges-that-were-decided": (start) => {
    const edge = { kind: EdgeKind.DEFAULT, condition: "response.data.score > 0.5" };
    const run = start({
      stages: stages({
        research: { required: false, errorStageId: "rescue" },
        rate: {
          required: false,
          dependsOnStages: ["research"],
          edges: [{ ...edge, fromStageId: "research" }],
          rewindEdges: [{ targetStageId: "research", condition: "response.data.score < 0.5", maxTimes: 1 }],
        },
        rescue: {
          required: false,
          dependsOnStages: ["research"],
          edges: [{ fromStageId: "research", kind: EdgeKind.ERROR }],
        },
      }),
    });
    run.answer("research", answered(ResponseStatus.SUCCESS, 0.9));
    run.pass(1_000).answer("rate", answered(ResponseStatus.SUCCESS, 0.4));
    run.pass(1_000).answer("research", answered(ResponseStatus.SUCCESS, 0.8));
    run.pass(1_000).answer("rate", answered(ResponseStatus.SUCCESS, 0.7));
    return run;
  },
  "long-contract": (start) => {
    const contract = { taskId: "t", title: "Do it", acceptanceCriteria: ["it is done ".repeat(100)] };
    const run = start({
      task: { contract },
      stages: stages({ implement: {}, check: { taskType: "review" } }),
    });
    run.answer("implement", { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "try later" } });
    run.fireTimer("retry");
    run.answer("implement");
    run.pass(1_000).answer("check");
    return run;
  },
  "rejected-and-approved": (start) => {
    const run = start({
      task: { riskTier: RiskTier.CRITICAL },
      stages: stages({ implement: {}, check: { taskType: "review" } }),
    });
    review(run, "implement", { kind: "approve" });
    const instructions = ["name the file", "add a test"];
    review(run, "check", { kind: "reject", targetStageId: "implement", instructions });
    review(run, "implement", { kind: "approve" });
    review(run, "check", { kind: "approve" });
    return run;
  },
  "escalated-and-resumed": (start) => {
    const run = start({ stages: stages({ implement: {} }), policy: { pipelineDeadline: { seconds: 500n } } });
    run.answer("implement", {
      status: { outcome: Outcome.POLICY_BLOCKED, failureReason: "not allowed to write there" },
    });
    const [question] = run.state?.escalations.keys() ?? [];
    run.pass(60_000).give({ type: "resolve", escalationId: question ?? "", resolution: "resume", by: ada });
    run.answer("implement", {
      response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "which of the two?" },
    });
    const [clarification] = run.state?.escalations.keys() ?? [];
    run.give({ type: "resolve", escalationId: clarification ?? "", resolution: "the first", by: ada });
    run.fireTimer("deadline");
    return run;
  },
  "retried-and-lost": (start) => {
    const run = start({
      stages: stages({
        a: { timeout: { seconds: 60n } },
        b: { required: false, handoffPolicy: { retry: { maxAttempts: 1 } } },
      }),
      policy: { failureStrategy: FailureStrategy.SKIP_FAILED, budget: { maxTokens: 10_000n } },
    });
    const late = run.envelope("a");
    run.fireTimer("timeout");
    run.fireTimer("retry");
    run.give({ type: "agent-lost", dispatchId: `${run.state?.id}/a/2`, reason: "its lease has run out" });
    run.give({
      type: "result",
      dispatchId: late.execution?.dispatchId ?? "",
      answer: { kind: "unreadable", reason: "not JSON" },
    });
    run.fireTimer("retry");
    for (const [turnIndex, confidence] of [0.9, 0.7, 0.5, 0.3, 0.1].entries())
      run.give({ type: "turn", dispatchId: `${run.state?.id}/a/3`, turnIndex, confidence });
    run.answer("a", { usage: { inputTokens: 120n, outputTokens: 30n, steps: 4 } });
    run.answer("b", { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "cannot be done" } });
    return run;
  },
  "steps-given-to-the-next-attempt": (start) => {
    const run = start({ stages: stages({ a: {} }), policy: { budget: { maxTokens: 10_000n } } });
    const argumentsDigest = `sha256:${"0".repeat(64)}`;
    const say = (attempt: number, step: Pick<ReportedStep, "name" | "state" | "usage">) => {
      const bytes = step.state === "COMPLETED" ? 40 : 0;
      const reported = { ...step, argumentsDigest, occurrence: 1, bytes };
      run.give({ type: "step", dispatchId: `${run.state?.id}/a/${attempt}`, step: reported });
    };
    const usage = create(UsageSchema, { inputTokens: 120n, outputTokens: 30n });
    say(1, { name: "model", state: "COMPLETED", usage });
    say(1, { name: "push", state: "STARTED", usage: undefined });
    run.give({ type: "agent-lost", dispatchId: `${run.state?.id}/a/1`, reason: "its lease has run out" });
    run.fireTimer("retry");
    say(2, { name: "push", state: "FAILED", usage: undefined });
    run.answer("a", { taskId: "another" });
    run.fireTimer("retry");
    say(3, { name: "model", state: "COMPLETED", usage });
    run.answer("a", { usage: { inputTokens: 120n, outputTokens: 40n } });
    return run;
  },
  "files-as-git-sees-them": (start) => {
    const workspace = { path: "/srv/shop", baseCommit: "0".repeat(40) };
    const run = start({ task: { workspace }, stages: stages({ implement: {} }) });
    const artifacts = [{ path: "new.ts", action: ArtifactAction.MODIFIED }];
    run.answer("implement", { artifacts });
    const dispatchId = `${run.state?.id}/implement/1`;
    const changes = { files: [{ path: "new.ts", action: ArtifactAction.CREATED }], lines: 3 };
    run.pass(1_000).give({ type: "verified", dispatchId, verification: { commands: [], changes } });
    return run;
  },
  guarded: (start) => {
    const run = start({ stages: stages({ a: {}, b: { required: false } }) });
    const rule = { name: "own", check: { kind: "secrets" }, parts: ["message"], scope: {} } as const;
    run.world = { ...run.world, guardrails: { redactFailures: true, rules: [rule] } };
    const verdict = { name: "own", decision: "PASSED", rule: "secrets", reason: "", path: "" } as const;
    const guard = (stageId: string, guarded: Guarded) =>
      run.pass(1_000).give({ type: "guarded", dispatchId: `${run.state?.id}/${stageId}/1`, guarded });
    run.answer("a", answered(ResponseStatus.SUCCESS, 1));
    guard("a", { verdicts: [verdict] });
    run.answer("b", answered(ResponseStatus.FAILURE, 0));
    const redacted = { message: "[redacted:email]" };
    guard("b", { verdicts: [verdict, { ...verdict, decision: "REDACTED" }], redacted });
    return run;
  },
  aligned: (start) => {
    const consulted = governance({ constraints: ["No code names"], pressureLevel: PressureLevel.CONSULTED });
    const run = start({
      stages: stages({ a: {} }),
      task: { governance: consulted, inputs: { topic: "birds" } },
    });
    const constitution = constitutionOf({
      constraints: [
        { name: "No code names", checks: [{ name: "names", detect: "banned_phrases", phrases: ["Falcon"] }] },
      ],
    });
    run.world = { ...run.world, constitution };
    const consult = (subject: number) => {
      const dispatchId = run.state?.alignments?.get(subject)?.report.consultations[0]?.pipelineId ?? "";
      const notes = "nothing speaks against it";
      run.give({ type: "consulted", subject, dispatchId, verdict: "VALID", notes, packId: "ethics" });
    };
    consult(-1);
    run.answer("a", answered(ResponseStatus.SUCCESS, 1));
    runChecks(run);
    consult(0);
    return run;
  },
  "waited-and-aborted": (start) => {
    const run = start({ stages: stages({ a: {}, b: { dependsOnStages: [] }, c: { taskType: "dance" } }) });
    run.give({ type: "pause", reason: "lunch", by: ada });
    run.answer("a");
    run.pass(3_600_000).give({ type: "resume", reason: "back", by: ada });
    run.world = { ...run.world, fleet: testFleet([]) };
    run.give({ type: "wake" });
    run.answer("b", { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "try later" } });
    run.give({ type: "abort", reason: "not needed any more", by: ada });
    return run;
  },
};

function review(
  run: RecordedRun,
  stageId: string,
  verdict: Extract<PipelineInput, { type: "review" }>["verdict"],
): void {
  const dispatchId = run.envelope(stageId).execution?.dispatchId ?? "";
  run.answer(stageId, { status: { outcome: Outcome.SUCCESS, summary: "done ".repeat(80) } });
  run.pass(5_000).give({ type: "review", stageId, dispatchId, verdict, reason: "looked at it", by: ada });
}

const folder = join(import.meta.dirname, "journals", `form-${storedForm}`);
mkdirSync(folder, { recursive: true });
for (const [name, story] of Object.entries(stories)) {
  const path = join(folder, `${name}.json`);
  if (existsSync(path)) continue;
  const run = story((pipeline, world) => new RecordedRun({ pipelineId: `p-${name}`, ...pipeline }, world));
  flush();
  if (!run.state) throw new Error("a story makes a pipeline");
  const { texts, contents } = run;
  const journal: RecordedJournal = {
    texts,
    contents: Object.fromEntries(contents),
    expected: summaryOf(run.state, run.records),
  };
  writeFileSync(path, `${JSON.stringify(journal, null, 2)}\n`);
}
