import {
  type ContextLevel,
  type Contract,
  ContractSchema,
  type Execution,
  type Ref,
  RefType,
  type SafetyContext,
  type TaskEnvelope,
} from "@baton/contract";
import { create, type JsonObject, type Message } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type AssembledContext, assembleContext } from "../../dispatch/context.ts";
import { contextLevelFor } from "../../dispatch/context-level.ts";
import { refToTask } from "../../dispatch/freshness.ts";
import type { RouteChoice } from "../../dispatch/route.ts";
import { textBytes } from "../../dispatch/trim.ts";
import { lessonsFor } from "../../governance/learning/lessons.ts";
import { combineSchemas } from "../../json-schema/combine-schemas.ts";
import { durationOf, timestampOf } from "../../times.ts";
import type { Draft } from "../decision/draft.ts";
import { budgetOf, type SpendLimit } from "../plan/spending.ts";
import { spanIdOf } from "../state/span-id.ts";
import type { StageState } from "../state/stage-state.ts";
import type { PipelineState } from "../state/state.ts";
import { stepsOf } from "../state/steps.ts";
import { workspaceOf } from "../state/workspace.ts";
import { priorStages } from "./prior-stages.ts";

/** The contract of a stage: its template, completed field by field by the task's contract (A §4.3 step 3). */
export function contractFor(state: PipelineState, index: number): Contract {
  const { task, plan } = state;
  const template = plan.stages[index]?.contractTemplate;
  const given = task.contract ?? create(ContractSchema);
  if (!template) return given;
  const list = (own: readonly string[], given: readonly string[]) => [...(own.length > 0 ? own : given)];
  return create(ContractSchema, {
    taskId: given.taskId,
    title: template.title || given.title,
    ownerDomain: template.ownerDomain || given.ownerDomain,
    acceptanceCriteria: list(template.acceptanceCriteria, given.acceptanceCriteria),
    nonGoals: list(template.nonGoals, given.nonGoals),
    definitionOfDone: list(template.definitionOfDone, given.definitionOfDone),
    requiredTools: list(template.requiredTools, given.requiredTools),
    ...optional("expectedFiles", completed(template.expectedFiles, given.expectedFiles)),
    ...optional("tests", completed(template.tests, given.tests)),
    ...optional("io", completed(template.io, given.io)),
    ...optional("environment", completed(template.environment, given.environment)),
  });
}

/**
 * Takes empty fields from the second. A first message without any content states that there is nothing, and is not
 * completed.
 */
function completed<Part extends Message>(ours: Part | undefined, theirs: Part | undefined): Part | undefined {
  const { $typeName: _, ...fields } = ours ?? {};
  const stated = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  if (!ours || !theirs || stated.length === 0) return ours ?? theirs;
  return { ...theirs, ...Object.fromEntries(stated) };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === "" || value === false || value === undefined;
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}

/** Context and references of the next attempt, before they are read again. */
export function contextFor(draft: Draft, index: number): AssembledContext {
  const { state } = draft;
  return assembleContext({
    level: levelOf(draft, index),
    propagation: draft.plan(index).propagation,
    given: state.task.context,
    refs: refsOf(state),
    prior: priorStages(state, index),
    feedback: draft.stage(index).feedback,
    roomBytes: envelopeBytes - fixedBytes(draft, index),
  });
}

/** Below the size of a message (4 MiB), which leaves room for names, numbers and the frame around the envelope. */
const envelopeBytes = 3.5 * 1024 * 1024;

/** The approximate size of what is always sent. */
function fixedBytes(draft: Draft, index: number): number {
  const { state } = draft;
  const stage = draft.stage(index);
  const { priorContext: _, ...feedback } = stage.feedback ?? {};
  const fixed = [contractFor(state, index), inputsOf(state, stage), feedback, stage.clarifications];
  return textBytes([...fixed, state.task.safety, draft.plan(index).outputSchema]);
}

function inputsOf({ task }: PipelineState, stage: StageState): JsonObject | undefined {
  const own = stage.status === "READY" || stage.status === "DISPATCHED" ? stage.inputs : undefined;
  return own ?? task.inputs;
}

/** The context level of the next attempt. */
export function levelOf(draft: Draft, index: number): ContextLevel {
  return contextLevelFor(draft.state.task, draft.plan(index).contextLevel);
}

/** An envelope has at least one reference; a task without any refers to its workspace, or to itself. */
function refsOf({ task, rootCommit }: PipelineState): readonly Ref[] {
  if (task.refs.length > 0) return task.refs;
  return [
    {
      $typeName: "vasini.agent.v1.Ref",
      uriOrLocator: task.workspace?.repository || refToTask(task.contract?.taskId ?? ""),
      versionOrSha: rootCommit ?? task.workspace?.baseCommit ?? "",
      digest: "",
      refType: RefType.COMMIT,
      degraded: false,
      degradedReason: "",
    },
  ];
}

interface EnvelopeParts {
  readonly index: number;
  readonly dispatchId: string;
  readonly contract: Contract;
  readonly choice: RouteChoice;
  readonly granted: SpendLimit;
  readonly timeoutAtMs: number;
  readonly context: AssembledContext;
}

/** Step 5 of dispatch: the envelope (A §2.1). An object literal, because `create` is slower and every attempt has one. */
export function buildEnvelope(draft: Draft, parts: EnvelopeParts): TaskEnvelope {
  const { state, world } = draft;
  const { task } = state;
  const { index, choice, context } = parts;
  const stage = draft.stage(index);
  const plan = draft.plan(index);
  const envelope: TaskEnvelope = {
    $typeName: "vasini.agent.v1.TaskEnvelope",
    protocolVersion: {
      $typeName: "vasini.agent.v1.ProtocolVersion",
      schemaVersion: world.schemaVersion,
      policyVersion: choice.policyVersion,
      capabilitySchemaVersion: "",
      packVersion: choice.packVersion,
      minOrchestratorVersion: "",
    },
    contract: parts.contract,
    trace: {
      $typeName: "vasini.agent.v1.TraceContext",
      traceId: state.traceId,
      spanId: spanIdOf(parts.dispatchId),
      parentSpanId: spanIdOf(state.id),
      tenantId: state.tenantId,
      agentId: choice.instanceId,
    },
    safety: task.safety ?? unrestricted(),
    refs: [...context.refs],
    execution: executionOf(draft, parts),
    routing: {
      $typeName: "vasini.agent.v1.Routing",
      selectedPackId: choice.packId,
      candidatePackIds: [...choice.candidatePackIds],
      routingPolicyVersion: choice.policyVersion,
      taskType: plan.taskType,
    },
    clarifications: [...stage.clarifications],
    lessons: lessonsFor(state.id, world.lessons ?? []),
    // What the graph lets the agent answer: the end of the run where its author says so, and another round while an edge
    // back is left.
    mayComplete: plan.config?.mayComplete ?? false,
    mayRetryWithInstruction: plan.rewindEdges.some(
      ({ maxTimes }, edge) => (stage.edgesTaken[edge] ?? 0) < maxTimes,
    ),
  };
  const workspace = workspaceOf(state, stage);
  const inputs = inputsOf(state, stage);
  // Absent fields have no key, as in a decoded message.
  if (context.contextIn) envelope.contextIn = context.contextIn;
  if (context.feedback) envelope.reviewFeedback = context.feedback;
  if (workspace) envelope.workspace = workspace;
  if (inputs) envelope.inputs = inputs;
  const schema = combineSchemas(plan.outputSchema, dataSchemaOf(draft, choice));
  if (schema) envelope.outputSchema = schema;
  // Their values are added when it is sent.
  const count = stepsOf(state, index).known.size;
  if (count > 0) envelope.steps = { $typeName: "vasini.agent.v1.GivenSteps", count, steps: [] };
  return envelope;
}

/** The pack's schema for the data of results (SAC-11). */
function dataSchemaOf({ fleet, nowMs }: Draft, { packId, packVersion }: RouteChoice): JsonObject | undefined {
  for (const { manifest } of fleet.profiles(packId, nowMs))
    if (manifest.packVersion === packVersion) return manifest.dataSchema;
  return undefined;
}

/** For a task without a safety context. */
function unrestricted(): SafetyContext {
  return {
    $typeName: "vasini.agent.v1.SafetyContext",
    authScopes: [],
    prohibitedActions: [],
    toolAllowlist: [],
    toolDenylist: [],
    maxAutonomousSteps: 0,
  };
}

function executionOf(
  draft: Draft,
  { index, dispatchId, choice, granted, timeoutAtMs }: EnvelopeParts,
): Execution {
  const { task, tenantId } = draft.state;
  const stage = draft.stage(index);
  const execution: Execution = {
    $typeName: "vasini.agent.v1.Execution",
    idempotencyKey: workKey(tenantId, task.idempotencyKey, draft.plan(index).id, stage.roundStart),
    dispatchId,
    attemptNumber: stage.attempt,
    deadline: timestampOf(deadlineFor(draft, timeoutAtMs)),
    timeout: durationOf(timeoutAtMs - draft.nowMs),
    priority: task.priority,
    riskTier: choice.riskTier,
    patchSizeLimit: task.patchSizeLimit,
  };
  if (isLimited(granted)) execution.budget = budgetOf(granted);
  return execution;
}

/**
 * The same for all attempts at the same work (DIS-12). A round after a rejection or an answered question is other work and
 * has another key. Ambiguous parts are prefixed with their length, so keys of two tenants never collide. Parts are not
 * encoded, because redaction would not recognize an encoded secret.
 */
function workKey(tenantId: string, taskKey: string, stageId: string, round: number): string {
  return `${framed(tenantId)}/${framed(taskKey)}/${framed(stageId)}/${round}`;
}

function framed(part: string): string {
  return /\/|^\d+:/.test(part) ? `${part.length}:${part}` : part;
}

/** The earliest of the timeout, the task's deadline and the pipeline's hard deadline. */
export function timeoutAtMs(draft: Draft, index: number, maxTaskMs = Number.POSITIVE_INFINITY): number {
  const { task, deadlineAtMs, deadlineWaived, plan } = draft.state;
  let end = draft.nowMs + Math.min(draft.plan(index).timeoutMs, maxTaskMs);
  if (task.deadline && !deadlineWaived) end = Math.min(end, timestampMs(task.deadline));
  if (deadlineAtMs !== undefined && !plan.limits.softDeadline) end = Math.min(end, deadlineAtMs);
  return Math.max(draft.nowMs + 1, end);
}

function deadlineFor(draft: Draft, timeout: number): number {
  return Math.max(timeout, draft.nowMs + 1);
}

function isLimited({ tokens, costMicroUsd, steps }: SpendLimit): boolean {
  return tokens !== undefined || costMicroUsd !== undefined || steps !== undefined;
}
