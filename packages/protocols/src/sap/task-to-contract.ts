/** A Task as a task of the contract (SAP-02), and back without loss. */
import {
  FailureStrategy,
  type Governance,
  GovernanceSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  cacheModes,
  defaultObjective,
  issuerKinds,
  pressureLevels,
  priorities,
  riskTolerances,
} from "./contract-names.ts";
import { remainder } from "./remainder.ts";
import type { Task } from "./task.ts";
import { knownTask } from "./task-from-contract.ts";

export interface Submission {
  /** A template of this name runs instead of one stage of this task type. */
  readonly isTemplate?: boolean;
}

/** The idempotency key of a task: the same taskId is the same run, however its letters are written. */
export function keyOfTask(taskId: string): string {
  return `sap:${taskId.toLowerCase()}`;
}

export function taskToContract(task: Task, { isTemplate = false }: Submission = {}): SubmitTaskRequest {
  const { constitutionalContext: context, telemetry, attachments = [], target, payload } = task;
  const { objectives = [], constraints = [], references = [] } = context;
  const { tokens, seconds } = telemetry?.budget ?? {};
  const deadline = telemetry?.deadline;
  const request = create(SubmitTaskRequestSchema, {
    idempotencyKey: keyOfTask(task.taskId),
    plan: { case: isTemplate ? "templateId" : "taskType", value: target.capability },
    contract: {
      taskId: task.taskId,
      title: titleOf(task),
      acceptanceCriteria: objectives.length > 0 ? objectives : [defaultObjective(target.capability)],
      definitionOfDone: [...constraints, ...formatRule(task)],
    },
    refs: [
      ...references.map((uriOrLocator) => ({ uriOrLocator })),
      ...attachments.map(({ uri, digest = "" }) => ({ uriOrLocator: uri, digest: digest.toLowerCase() })),
    ],
    inputs: payload as JsonObject,
    // The issuer decides what follows a failure; a template says so itself.
    ...(!isTemplate && { failureStrategy: FailureStrategy.FAIL_FAST }),
    governance: governanceOf(task),
    ...(telemetry?.priority && { priority: priorities.number(telemetry.priority) }),
    ...(deadline !== undefined && { deadline: timestampFromMs(Date.parse(deadline)) }),
    ...(tokens !== undefined && { budget: { maxTokens: BigInt(tokens) } }),
    ...(seconds !== undefined && { timeout: durationFromMs(seconds * 1_000) }),
  });
  const rest = remainder(task, knownTask(request));
  if (rest !== undefined && request.governance) request.governance.rest = rest as JsonObject;
  return request;
}

function governanceOf(task: Task): Governance {
  const { issuer, target, constitutionalContext: context, outputContract, telemetry } = task;
  const { mode, maxAgeSec, mustAlign = false } = context.cachePolicy ?? {};
  return create(GovernanceSchema, {
    sapVersion: task.protocolVersion,
    taskId: task.taskId,
    parentTaskId: task.parentTaskId ?? "",
    correlationId: task.correlationId,
    issuedAt: timestampFromMs(Date.parse(task.issuedAt)),
    issuer: { agentId: issuer.agentId, kind: issuerKinds.number(issuer.agentKind), name: issuer.name ?? "" },
    capability: target.capability,
    packId: target.agentId ?? "",
    territory: context.territory ?? "",
    principles: context.principles ?? [],
    // Rounded up: more pressure asks for more care.
    pressure: Object.entries(context.pressure ?? {}).map(([principle, psi]) => ({
      principle,
      psi: Math.ceil(psi),
    })),
    constraints: context.constraints ?? [],
    pressureLevel: pressureLevels.number(context.pressureLevel),
    replyTo: task.replyTo ? [task.replyTo.endpoint] : [],
    attachments: (task.attachments ?? []).map(({ uri, kind = "", digest = "" }) => ({ uri, kind, digest })),
    references: context.references ?? [],
    outputFormat: outputContract?.format ?? "",
    tags: task.tags ?? [],
    deepTrace: telemetry?.trace ?? false,
    ...(context.riskTolerance && { riskTolerance: riskTolerances.number(context.riskTolerance) }),
    ...(outputContract?.schema && { outputSchema: outputContract.schema as JsonObject }),
    ...(context.cachePolicy && {
      cachePolicy: {
        ...(mode && { mode: cacheModes.number(mode) }),
        mustAlign,
        ...(maxAgeSec !== undefined && { maxAge: durationFromMs(maxAgeSec * 1_000) }),
      },
    }),
  });
}

/** The first objective, on one line. */
function titleOf({ target, constitutionalContext: { objectives = [] } }: Task): string {
  const text = (objectives[0] ?? target.capability).replaceAll(/\s+/g, " ").trim();
  return text.length <= titleLength ? text : `${text.slice(0, titleLength - 1).toWellFormed()}…`;
}

const titleLength = 200;

/** The agent reads in its definition of done which format the answer has. */
function formatRule({ outputContract }: Task): readonly string[] {
  const format = outputContract?.format;
  if (format === undefined) return [];
  return [format === "json" ? "The answer is JSON data" : `The answer is ${format}, in the message`];
}
