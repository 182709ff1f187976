import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  FailureStrategy,
  type Pipeline,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
  type Template,
} from "@baton/contract/forms";
import { evaluationLabels, failedChecksLabel } from "@baton/kernel/deciding";
import {
  type CompiledCase,
  type Evaluation,
  type Finding,
  type Grading,
  judgeRun,
  readGrade,
} from "@baton/kernel/evaluation";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CliError } from "../errors/cli-error.ts";
import { followPipeline } from "../follow/follow-pipeline.ts";
import type { Hub } from "../hub/connect-hub.ts";
import { withResults } from "../queries/read-results.ts";
import { hasEnded } from "../queries/run-state.ts";

export interface CaseSetting {
  readonly hub: Hub;
  readonly evaluation: Evaluation;
  readonly template: Template;
  readonly version: string;
  readonly signal: AbortSignal;
  /** An outage of the hub. */
  readonly note: (line: string) => void;
}

/** A run of a case that was judged. */
export interface JudgedRun {
  readonly caseId: string;
  /** With the labels of its verdict. */
  readonly run: Pipeline;
  readonly findings: readonly Finding[];
  /** What its graders spent. */
  readonly gradingMicroUsd: number;
}

/** Runs a case once, has its graders look at the answer, and stores the verdict in the labels of the run. */
export async function runCase(one: CompiledCase, setting: CaseSetting): Promise<JudgedRun> {
  const { hub, evaluation, template, version } = setting;
  const { kind, name, version: versionLabel, case: caseLabel } = evaluationLabels;
  const labels = { [kind]: "case", [name]: evaluation.name, [versionLabel]: version, [caseLabel]: one.id };
  const { title, accept, inputs } = one;
  const { run, question } = await runToRest(
    { plan: { case: "templateId", value: evaluation.workflow }, title, accept, inputs, labels },
    setting,
  );
  const { findings, gradings } = judgeRun(one, run, template, question);
  const grades = await Promise.all(gradings.map((grading) => grade(grading, run, setting)));
  const all = [...findings, ...grades.map(({ finding }) => finding)];
  const failed = all.filter(({ passed }) => !passed).map(({ check }) => check);
  const verdict = {
    [evaluationLabels.verdict]: failed.length === 0 ? "passed" : "failed",
    ...(failed.length > 0 && { [evaluationLabels.failed]: failedChecksLabel(failed) }),
  };
  const { pipeline = run } = await hub.orchestrator.labelPipeline({
    ...{ pipelineId: run.pipelineId, labels: labelList(verdict) },
  });
  const gradingMicroUsd = grades.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0);
  return { caseId: one.id, run: pipeline, findings: all, gradingMicroUsd };
}

async function grade({ check, taskType, inputs }: Grading, graded: Pipeline, setting: CaseSetting) {
  const { evaluation, version } = setting;
  const labels = {
    [evaluationLabels.kind]: "grading",
    [evaluationLabels.name]: evaluation.name,
    [evaluationLabels.version]: version,
    [evaluationLabels.graded]: graded.pipelineId,
  };
  const accept = ["the answer has `pass`, true or false, and `reason`"];
  const { run } = await runToRest(
    {
      plan: { case: "taskType", value: taskType },
      ...{ title: `Grade ${check}`, accept, inputs, labels },
    },
    setting,
  );
  return {
    finding: readGrade(check, run),
    costMicroUsd: Number(run.summary?.usage?.costMicroUsd ?? 0n),
  };
}

interface Wanted {
  readonly plan: Exclude<SubmitTaskRequest["plan"], { case: undefined } | { case: "pipeline" }>;
  readonly title: string;
  readonly accept: readonly string[];
  readonly inputs: MessageInitShape<typeof SubmitTaskRequestSchema>["inputs"];
  readonly labels: Readonly<Record<string, string>>;
}

interface RestingRun {
  readonly run: Pipeline;
  /** What it asks a person. */
  readonly question: string | undefined;
}

/**
 * Submits a run and follows it until it has ended or waits for a person; then nobody would answer, so it is aborted. It is also
 * aborted when it takes too long, and when the evaluation is interrupted.
 */
async function runToRest(wanted: Wanted, setting: CaseSetting): Promise<RestingRun> {
  const { hub, evaluation, signal, note } = setting;
  const { pipeline } = await hub.orchestrator.submitTask(requestOf(wanted, evaluation), { signal });
  if (pipeline === undefined)
    throw new CliError("BATON-CLI-008", "the hub accepted the task but returned no run", {
      fix: "see its log",
    });
  const ended = new AbortController();
  const late = new AbortController();
  void pause(evaluation.timeoutMs, undefined, { signal: ended.signal }).then(
    () => late.abort(),
    () => {},
  );
  const watcher = {
    onState: () => {},
    onMessage: async () => {},
    onDisconnect: () => note("the hub does not answer; the evaluation waits for it"),
    onReconnect: () => note("the hub is back"),
  };
  const until = AbortSignal.any([signal, late.signal]);
  try {
    const state = await followPipeline({ hub, pipeline, watcher, signal: until, untilItWaits: true });
    if (!hasEnded(state.pipeline)) await abort(setting, pipeline, "nobody answers in an evaluation");
    const question = state.questions[0]?.snapshot?.problem;
    return { run: await withResults(hub, state.pipeline, signal), question };
  } catch (error) {
    if (!until.aborted) throw error;
    if (signal.aborted) {
      await abort(setting, pipeline, "the evaluation was interrupted");
      throw error;
    }
    await abort(setting, pipeline, `the evaluation does not wait longer than ${evaluation.timeoutMs} ms`);
    const { pipeline: now = pipeline } = await hub.orchestrator.getPipeline(
      { pipelineId: pipeline.pipelineId },
      { signal },
    );
    return { run: await withResults(hub, now, signal), question: undefined };
  } finally {
    ended.abort();
  }
}

/** Without the role it stays, which is reported; the verdict does not depend on it. */
async function abort({ hub, note }: CaseSetting, { pipelineId }: Pipeline, reason: string): Promise<void> {
  try {
    await hub.orchestrator.abortPipeline({ pipelineId, reason });
  } catch (error) {
    note(`${pipelineId} could not be aborted: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function requestOf({ plan, title, accept, inputs, labels }: Wanted, { budget }: Evaluation) {
  const acceptanceCriteria = accept.length > 0 ? [...accept] : [title];
  const id = randomUUID().replaceAll("-", "").slice(0, 16);
  return create(SubmitTaskRequestSchema, {
    idempotencyKey: `eval-${id}`,
    plan,
    contract: { taskId: `eval-${id}`, title, acceptanceCriteria },
    // A failure is a result here, and no question.
    failureStrategy: FailureStrategy.FAIL_FAST,
    labels: labelList(labels),
    ...(inputs && { inputs }),
    ...(budget && { budget }),
  });
}

function labelList(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([name, value]) => ({ name, value }));
}
