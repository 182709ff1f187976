import {
  type Pipeline,
  PipelineOriginSchema,
  PipelineStatus,
  type Stage,
  StageStatus,
  type Workspace,
} from "@baton/contract";
import {
  inShort,
  originView,
  type PipelineState,
  type Place,
  type StageState,
  sentOf,
  spanIdOf,
  standingBranch,
  summarise,
  type Wait,
  waitOf,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fitSummary } from "./fit-summary.ts";
import { riskTierOf } from "./found-by.ts";

/**
 * A pipeline as the contract shows it. A list leaves out what its stages answered. Written out and not left to `create`:
 * every pipeline is shown when it is taken and when it has ended.
 */
export function pipelineView(state: PipelineState, { withResults }: { withResults: boolean }): Pipeline {
  const { life, plan, origin } = state;
  const view: Pipeline = {
    $typeName: "vasini.agent.v1.Pipeline",
    pipelineId: state.id,
    pipelineName: state.name,
    sourceTaskId: state.task.contract?.taskId ?? "",
    status: PipelineStatus[life.status],
    stages: state.stages.map((stage, place) => stageView(state, stage, place, withResults)),
    trace: {
      $typeName: "vasini.agent.v1.TraceContext",
      traceId: state.traceId,
      spanId: spanIdOf(state.id),
      parentSpanId: state.parentSpanId ?? "",
      tenantId: state.tenantId,
      agentId: "",
    },
    createdAt: timestampFromMs(state.createdAtMs),
    updatedAt: timestampFromMs(state.updatedAtMs),
    templateId: state.templateId,
    statusReason: "reason" in life ? inShort(life.reason) : "",
    revision: BigInt(state.version),
    waitsForPerson: isUnderWay(state) && state.escalations.size > 0,
    labels: state.task.labels,
    riskTier: riskTierOf(state),
  };
  if (life.status === "COMPLETED") view.summary = fitSummary(life.summary);
  // Of one that ended early: what was accepted until then, and what was spent.
  if (life.status === "FAILED" || life.status === "ABORTED")
    view.summary = fitSummary(summarise(state, life.atMs));
  if (isUnderWay(state)) view.rejectionsLeft = Math.max(0, plan.limits.maxRejections - state.rejectionsUsed);
  if (plan.policy) view.policy = plan.policy;
  if (origin) view.origin = create(PipelineOriginSchema, originView(origin));
  return view;
}

function stageView(state: PipelineState, stage: StageState, place: number, withResults: boolean): Stage {
  const plan = state.plan.stages[place];
  const sent = sentOf(stage);
  const result = withResults ? resultOf(stage) : undefined;
  const view: Stage = {
    $typeName: "vasini.agent.v1.Stage",
    stageId: plan?.id ?? "",
    stageOrder: place,
    stageName: plan?.name ?? "",
    taskType: plan?.taskType ?? "",
    status: StageStatus[stage.status],
    dispatchId: sent?.dispatchId ?? "",
    assignedPackId: sent?.choice.packId ?? "",
    assignedInstanceId: sent?.choice.instanceId ?? "",
    attemptNumber: stage.attempt,
    resultLeftOutBytes: 0,
    waitingFor: inShort(waitingFor(state, stage, place)),
    commit: stage.kept?.commit ?? "",
  };
  if (plan?.config) view.config = plan.config;
  if (result) view.result = result;
  if (stage.firstSentAtMs !== undefined) view.startedAt = timestampFromMs(stage.firstSentAtMs);
  if ("finishedAtMs" in stage) view.finishedAt = timestampFromMs(stage.finishedAtMs);
  if (stage.place) view.workspace = workspaceView(state, stage, stage.place);
  return view;
}

function workspaceView(state: PipelineState, stage: StageState, { baseCommit, path }: Place): Workspace {
  const repository = state.task.workspace?.repository ?? "";
  const branch = standingBranch(state, stage);
  return { $typeName: "vasini.agent.v1.Workspace", repository, baseCommit, branch, path };
}

function resultOf(stage: StageState) {
  if (stage.status === "COMPLETED") return stage.result;
  if (stage.status === "FAILED" || stage.status === "SKIPPED") return stage.failure?.result;
  return stage.status === "DISPATCHED" && "result" in stage.phase ? stage.phase.result : undefined;
}

/** What a person would have to look at, or why it did not come to anything. */
function waitingFor(state: PipelineState, stage: StageState, place: number): string {
  if (stage.status === "FAILED") return stage.failure.reason;
  if (stage.status === "SKIPPED") return stage.reason;
  if (stage.status === "COMPLETED" || !isUnderWay(state)) return "";
  const before = stage.status === "PENDING" ? stagesBefore(state, place) : [];
  if (stage.status === "PENDING")
    return before.length > 0 ? `stages before it: ${before.join(", ")}` : "the run to go on";
  const wait = waitOf(stage);
  if (wait?.kind === "turn" && state.life.status === "PAUSED") return "a person who resumes the run";
  if (wait) return waitText(wait);
  if (stage.status !== "DISPATCHED") return "";
  switch (stage.phase.kind) {
    case "sent":
      return `the answer of ${stage.phase.sent.choice.instanceId}`;
    case "verifying":
      return "the hub's own look at the evidence";
    case "reviewing":
      return stage.phase.reviewer === "person" ? "a review by a person" : "a review by an agent";
    case "asking":
      return `an answer to: ${stage.phase.question}`;
    case "preparing":
      return "";
  }
}

function isUnderWay({ life }: PipelineState): boolean {
  return life.status === "PENDING" || life.status === "RUNNING" || life.status === "PAUSED";
}

/** Those that it depends on and that are not done. */
function stagesBefore({ plan, stages }: PipelineState, place: number): readonly string[] {
  const before = plan.stages[place]?.dependsOn ?? [];
  return before.flatMap((other) =>
    stages[other]?.status === "COMPLETED" ? [] : (plan.stages[other]?.id ?? []),
  );
}

/** What a stage waits for, for people. */
export function waitText(wait: Wait): string {
  switch (wait.kind) {
    case "turn":
      return "its turn";
    case "backoff":
      return `the next attempt at ${new Date(wait.untilMs).toISOString()}`;
    case "agent":
      return `an agent: ${wait.reason}`;
    case "budget":
      return "more budget: what is left does not do for another attempt";
    case "approval":
      return "a person who lets its security flags pass";
    case "refresh":
      return "references that are read again";
    case "stale":
      return "a person: a reference is too old and could not be read again";
    case "workspace":
      return "a place to work in, which is being made";
    case "no-workspace":
      return `a person: there is no place to work in: ${wait.reason}`;
    case "deadline":
      return "a person: the deadline of the task has passed";
  }
}
