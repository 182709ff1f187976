/** A run of the contract as a Result (SAP-02, SAP-03). The same run is the same Result. */
import {
  type AgentResult,
  Outcome,
  type Pipeline,
  PipelineStatus,
  type Stage,
  StageStatus,
} from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type SapErrorCode, sapErrorCodes } from "./error-model.ts";
import { evidenceOf } from "./evidence-from-report.ts";
import type { Result, ResultStatus } from "./result.ts";
import { formatTimestamp } from "./scalars.ts";
import { sapVersion } from "./task.ts";

/** An open question to a person. */
export interface OpenQuestion {
  readonly escalationId: string;
  readonly stageId: string;
  readonly problem: string;
  readonly recommended: string;
  readonly options: readonly string[];
}

/** What a run has beside its view. */
export interface RunDetail {
  readonly questions: readonly OpenQuestion[];
  /** The code of the failure that ended it; empty otherwise. */
  readonly failureCode: string;
}

/** The id of the hub as a producer. */
const hub = "baton";

export function resultFromPipeline(pipeline: Pipeline, detail: RunDetail): Result {
  const { governance, summary, alignment, trace } = pipeline;
  const status = statusOf(pipeline);
  const evidence = evidenceOf(alignment, status, governance?.pressure ?? []);
  const mayLeave = evidence.alignment === "VALID";
  const isDone = status === "SUCCEEDED" || status === "PARTIAL";
  const last = isDone && mayLeave ? lastCompleted(pipeline) : undefined;
  const artifacts = mayLeave ? (summary?.artifacts ?? []) : [];
  const output = last && outputOf(last, governance?.outputFormat ?? "");
  return {
    protocolVersion: sapVersion,
    taskId: governance?.taskId ?? "",
    ...(governance?.parentTaskId && { parentTaskId: governance.parentTaskId }),
    correlationId: governance?.correlationId ?? "",
    reportedAt: formatTimestamp(pipeline.updatedAt ? timestampMs(pipeline.updatedAt) : 0),
    producer: producerOf(last ?? pipeline.stages.findLast(({ assignedPackId }) => assignedPackId !== "")),
    status,
    ...(output !== undefined && { output }),
    ...(artifacts.length > 0 && {
      artifacts: artifacts.map(({ path, digest }) => ({
        uri: path,
        ...(/\.(\w{1,16})$/.test(path) && { kind: /\.(\w{1,16})$/.exec(path)?.[1] ?? "" }),
        ...(digest !== "" && { digest }),
      })),
    }),
    metrics: metricsOf(pipeline),
    constitutionalEvidence: evidence,
    ...(status === "FAILED" && {
      error: {
        code:
          evidence.alignment === "NON_CONSTITUTIONAL" ? evidence.alignment : errorCodeOf(detail.failureCode),
        message: pipeline.statusReason || "the task failed",
        details: { failureCode: detail.failureCode },
      },
    }),
    ...(status === "ESCALATED" && { nextActions: waysOn(pipeline, detail) }),
    ...(status === "PARTIAL" && { nextActions: followUps(pipeline) }),
    meta: {
      pipelineId: pipeline.pipelineId,
      revision: Number(pipeline.revision),
      ...(trace && { traceId: trace.traceId }),
      ...(status === "CANCELLED" && { reason: pipeline.statusReason }),
      ...(governance?.deepTrace && { trace: pipeline.stages.map(traceOf) }),
    },
  };
}

/** QUEUED until the first attempt is sent, ESCALATED while a person has to act (U §5). */
export function statusOf(pipeline: Pipeline): ResultStatus {
  switch (pipeline.status) {
    case PipelineStatus.COMPLETED:
      return isPartial(pipeline) ? "PARTIAL" : "SUCCEEDED";
    case PipelineStatus.FAILED:
      return "FAILED";
    case PipelineStatus.ABORTED:
      return "CANCELLED";
    case PipelineStatus.PAUSED:
      return "ESCALATED";
    default:
      if (pipeline.waitsForPerson) return "ESCALATED";
      return pipeline.stages.every(({ attemptNumber }) => attemptNumber === 0) ? "QUEUED" : "RUNNING";
  }
}

export function hasOutcome({ status }: Pick<Result, "status">): boolean {
  return ["SUCCEEDED", "PARTIAL", "FAILED", "CANCELLED"].includes(status);
}

/** Stages were skipped, or an answer that is partly done was accepted. */
function isPartial({ stages, summary }: Pipeline): boolean {
  return (summary?.stagesSkipped ?? 0) > 0 || stages.some(({ result }) => isPartly(result));
}

function isPartly(result: AgentResult | undefined): boolean {
  return result?.status?.outcome === Outcome.PARTIAL;
}

function lastCompleted({ stages }: Pipeline): Stage | undefined {
  return stages.findLast(({ status }) => status === StageStatus.COMPLETED);
}

/** The data of the answer; its message where the task asks for text, or where there is no data. */
function outputOf({ result }: Stage, format: string): unknown {
  const { response, status } = result ?? {};
  const text = response?.message || status?.summary || undefined;
  if (format === "text" || format === "markdown") return text ?? response?.data;
  return response?.data ?? text;
}

function producerOf(stage: Stage | undefined): Result["producer"] {
  return stage
    ? { agentId: stage.assignedPackId, agentKind: "agent", instanceId: stage.assignedInstanceId }
    : { agentId: hub, agentKind: "system" };
}

function metricsOf({ summary, createdAt, updatedAt, stages }: Pipeline): Record<string, number> {
  const { usage } = summary ?? {};
  const tookMs = createdAt && updatedAt ? timestampMs(updatedAt) - timestampMs(createdAt) : 0;
  return {
    latencyMs: tookMs,
    attempts: stages.reduce((sum, { attemptNumber }) => sum + attemptNumber, 0),
    ...(usage && {
      tokensIn: Number(usage.inputTokens),
      tokensOut: Number(usage.outputTokens),
      costMicroUsd: Number(usage.costMicroUsd),
      steps: usage.steps,
    }),
  };
}

const errorCodes: Readonly<Record<string, SapErrorCode>> = {
  OUTPUT_SCHEMA: "UNPROCESSABLE",
  GUARDRAIL: "UNPROCESSABLE",
  GATE_FAILED: "UNPROCESSABLE",
};

/** A code of U §8 that the hub or the agent states is kept. */
function errorCodeOf(failureCode: string): SapErrorCode {
  return sapErrorCodes.find((code) => code === failureCode) ?? errorCodes[failureCode] ?? "INTERNAL";
}

/** What a person can do (U §8: the recommended escalation path). */
function waysOn(pipeline: Pipeline, { questions }: RunDetail) {
  if (questions.length === 0) {
    const reason = pipeline.statusReason || "a person paused it";
    return [
      { action: "resume", problem: reason, recommended: "resume the run", options: ["resume", "abort"] },
    ];
  }
  return questions.map((question) => ({ action: "decide", ...question, options: [...question.options] }));
}

/** Snippets of the tasks that would do the rest. */
function followUps({ stages, governance }: Pipeline) {
  const { taskId: parentTaskId = "", correlationId = "" } = governance ?? {};
  return stages
    .filter(({ status, result }) => status === StageStatus.SKIPPED || isPartly(result))
    .map(({ taskType, stageId, status, waitingFor, result }) => ({
      action: status === StageStatus.SKIPPED ? "run" : "complete",
      task: { parentTaskId, correlationId, target: { capability: taskType } },
      stageId,
      reason: waitingFor || result?.status?.summary || "it is not done",
    }));
}

/** `telemetry.trace`: where the time of each stage went, and with whom. */
function traceOf(stage: Stage) {
  const { startedAt, finishedAt } = stage;
  return {
    stageId: stage.stageId,
    status: StageStatus[stage.status],
    attempt: stage.attemptNumber,
    dispatchId: stage.dispatchId,
    agentId: stage.assignedPackId,
    instanceId: stage.assignedInstanceId,
    ...(stage.waitingFor !== "" && { waitingFor: stage.waitingFor }),
    ...(startedAt && { startedAt: formatTimestamp(timestampMs(startedAt)) }),
    ...(finishedAt && { finishedAt: formatTimestamp(timestampMs(finishedAt)) }),
  };
}
