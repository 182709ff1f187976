import {
  LabelSchema,
  type Pipeline,
  PipelineOriginSchema,
  PipelineStatus,
  type Stage,
  StageStatus,
  type Workspace,
} from "@baton/contract";
import {
  type AttemptWorkspace,
  combineReports,
  existingBranch,
  isConsultation,
  labelsOf,
  originView,
  type PipelineState,
  publicReport,
  type StageState,
  sentOf,
  shortenReason,
  spanIdOf,
  summarise,
  verdictView,
  type Wait,
  waitOf,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { withCacheEvidence } from "./cache-evidence.ts";
import { fitSummary } from "./fit-summary.ts";
import { riskTierOf } from "./list-fields.ts";

/**
 * The contract's view of a pipeline; lists omit results of stages. Written as a literal for speed: every pipeline is
 * viewed at submission and at its end.
 */
export function pipelineView(state: PipelineState, { withResults }: { withResults: boolean }): Pipeline {
  const { life, plan, origin } = state;
  const view: Pipeline = {
    $typeName: "vasini.agent.v1.Pipeline",
    pipelineId: state.id,
    pipelineName: state.name,
    sourceTaskId: state.task.contract?.taskId ?? "",
    status: PipelineStatus[life.status],
    stages: state.stages.map((stage, index) => stageView(state, stage, index, withResults)),
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
    statusReason: "reason" in life ? shortenReason(life.reason) : "",
    revision: BigInt(state.version),
    waitsForPerson: isUnderWay(state) && state.escalations.size > 0,
    labels: labelsOf(state).map((label) => create(LabelSchema, label)),
    riskTier: riskTierOf(state),
  };
  if (life.status === "COMPLETED") view.summary = fitSummary(life.summary);
  // The accepted results and the spending of a run that ended early.
  if (life.status === "FAILED" || life.status === "ABORTED")
    view.summary = fitSummary(summarise(state, life.atMs));
  if (isUnderWay(state)) view.rejectionsLeft = Math.max(0, plan.limits.maxRejections - state.rejectionsUsed);
  if (plan.policy) view.policy = plan.policy;
  if (state.task.governance) view.governance = state.task.governance;
  const alignment = withCacheEvidence(alignmentView(state), state);
  if (alignment) view.alignment = alignment;
  if (origin) view.origin = create(PipelineOriginSchema, originView(origin));
  return view;
}

function stageView(state: PipelineState, stage: StageState, index: number, withResults: boolean): Stage {
  const plan = state.plan.stages[index];
  const sent = sentOf(stage);
  const result = withResults && !isConsultation(state) ? resultOf(stage) : undefined;
  const view: Stage = {
    $typeName: "vasini.agent.v1.Stage",
    stageId: plan?.id ?? "",
    stageOrder: index,
    stageName: plan?.name ?? "",
    taskType: plan?.taskType ?? "",
    status: StageStatus[stage.status],
    dispatchId: sent?.dispatchId ?? "",
    assignedPackId: sent?.choice.packId ?? "",
    assignedInstanceId: sent?.choice.instanceId ?? "",
    attemptNumber: stage.attempt,
    resultLeftOutBytes: 0,
    waitingFor: shortenReason(waitingFor(state, stage, index)),
    commit: stage.kept?.commit ?? "",
    edges: [],
    guardrails: stage.guardrails?.map(verdictView) ?? [],
  };
  const alignment = state.alignments?.get(index)?.report;
  if (plan?.config) view.config = plan.config;
  if (alignment) view.alignment = publicReport(alignment);
  if (result) view.result = result;
  if (withResults && stage.edges) view.edges = [...stage.edges];
  if (stage.firstSentAtMs !== undefined) view.startedAt = timestampFromMs(stage.firstSentAtMs);
  if ("finishedAtMs" in stage) view.finishedAt = timestampFromMs(stage.finishedAtMs);
  if (stage.place) view.workspace = workspaceView(state, stage, stage.place);
  return view;
}

function alignmentView({ task, alignments }: PipelineState) {
  if (!task.governance) return undefined;
  return combineReports([...(alignments?.values() ?? [])].map(({ report }) => publicReport(report)));
}

function workspaceView(
  state: PipelineState,
  stage: StageState,
  { baseCommit, path }: AttemptWorkspace,
): Workspace {
  const repository = state.task.workspace?.repository ?? "";
  const branch = existingBranch(state, stage);
  return { $typeName: "vasini.agent.v1.Workspace", repository, baseCommit, branch, path };
}

function resultOf(stage: StageState) {
  if (stage.status === "COMPLETED") return stage.result;
  if (stage.status === "FAILED" || stage.status === "SKIPPED") return stage.failure?.result;
  if (stage.status !== "DISPATCHED" || !("result" in stage.phase)) return undefined;
  // Nobody sees an answer before guardrails and alignment have decided.
  if (stage.phase.kind === "verifying" && (stage.phase.guarding || stage.phase.aligning)) return undefined;
  return stage.phase.result;
}

/** What the stage waits for, or why it ended without a result. */
function waitingFor(state: PipelineState, stage: StageState, index: number): string {
  if (stage.status === "FAILED") return stage.failure.reason;
  if (stage.status === "SKIPPED") return stage.reason;
  if (stage.status === "COMPLETED" || !isUnderWay(state)) return "";
  const before = stage.status === "PENDING" ? stagesBefore(state, index) : [];
  if (stage.status === "PENDING")
    return before.length > 0 ? `earlier stages: ${before.join(", ")}` : "the run to continue";
  const wait = waitOf(stage);
  if (wait?.kind === "turn" && state.life.status === "PAUSED") return "a person who resumes the run";
  if (wait) return waitText(wait);
  if (stage.status !== "DISPATCHED") return "";
  switch (stage.phase.kind) {
    case "sent":
      return `the answer of ${stage.phase.sent.choice.instanceId}`;
    case "verifying":
      if (stage.phase.aligning) return waitingForAlignment(state, index);
      return stage.phase.guarding ? "the guardrails" : "the hub's verification of the evidence";
    case "reviewing":
      return stage.phase.reviewer === "person" ? "a review by a person" : "a review by an agent";
    case "asking":
      return `an answer to: ${stage.phase.question}`;
    case "preparing":
      return "";
  }
}

function waitingForAlignment({ alignments }: PipelineState, index: number): string {
  switch (alignments?.get(index)?.phase) {
    case "asking":
      return "a person who decides whether its answer follows the constitution";
    case "consulting":
      return "agents that are consulted about its answer";
    default:
      return "the checks of the constitution";
  }
}

function isUnderWay({ life }: PipelineState): boolean {
  return life.status === "PENDING" || life.status === "RUNNING" || life.status === "PAUSED";
}

/** Dependencies that are not completed. */
function stagesBefore({ plan, stages }: PipelineState, index: number): readonly string[] {
  const before = plan.stages[index]?.dependsOn ?? [];
  return before.flatMap((other) =>
    stages[other]?.status === "COMPLETED" ? [] : (plan.stages[other]?.id ?? []),
  );
}

/** Describes a wait to people. */
export function waitText(wait: Wait): string {
  switch (wait.kind) {
    case "turn":
      return "its turn";
    case "backoff":
      return `the next attempt at ${new Date(wait.untilMs).toISOString()}`;
    case "agent":
      return `an agent: ${wait.reason}`;
    case "budget":
      return "more budget: the rest is too small for another attempt";
    case "tenant-limit":
      return `the tenant's spending limit, until ${new Date(wait.untilMs).toISOString()} or until it is raised`;
    case "identical":
      return `the outcome of an identical task: run ${wait.pipelineId}`;
    case "approval":
      return "a person who accepts its security flags";
    case "refresh":
      return "references to be refreshed";
    case "stale":
      return "a person: a reference is stale and could not be refreshed";
    case "alignment":
      return "the decision whether the task follows the constitution";
    case "workspace":
      return "its workspace to be prepared";
    case "no-workspace":
      return `a person: its workspace could not be prepared: ${wait.reason}`;
    case "deadline":
      return "a person: the deadline of the task has passed";
  }
}
