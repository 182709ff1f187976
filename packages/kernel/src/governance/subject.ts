import { type AgentResult, Priority, type SubmitTaskRequest } from "@baton/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { guardedAnswer } from "../guardrails/answer.ts";
import { governanceLimits } from "./constitution.ts";
import { capabilityOf, issuerKindName, riskName } from "./scope.ts";
import { levelName, type Selection } from "./select.ts";

/** A governed task as its checks read it. */
export function taskValues(task: SubmitTaskRequest, payload: JsonObject): JsonObject {
  const { governance, contract, refs, priority } = task;
  return {
    capability: capabilityOf(task),
    title: contract?.title ?? "",
    objectives: [...(contract?.acceptanceCriteria ?? [])],
    payload,
    territory: governance?.territory ?? "",
    principles: [...(governance?.principles ?? [])],
    constraints: [...(governance?.constraints ?? [])],
    risk_tolerance: riskName(governance?.riskTolerance ?? 0),
    references: [...(governance?.references ?? []), ...refs.map(({ uriOrLocator }) => uriOrLocator)],
    attachments: (governance?.attachments ?? []).map(({ uri, kind, digest }) => ({ uri, kind, digest })),
    tags: [...(governance?.tags ?? [])],
    priority: (Priority[priority] ?? "").toLowerCase(),
    issuer: {
      agent_id: governance?.issuer?.agentId ?? "",
      kind: issuerKindName(governance?.issuer?.kind ?? 0),
      name: governance?.issuer?.name ?? "",
    },
  };
}

/** An answer as its checks read it. */
export function outputValues(result: AgentResult): JsonObject {
  return { ...guardedAnswer(result), citations: [...citationsOf(result)] };
}

/** Sources that an answer names in `data.citations`: texts, or objects with an `id`, `uri` or `source`. */
export function citationsOf({ response }: Pick<AgentResult, "response">): readonly string[] {
  const given = response?.data?.citations;
  if (!Array.isArray(given)) return [];
  return given.flatMap((one) => sourceOf(one)).slice(0, governanceLimits.citations);
}

function sourceOf(one: JsonValue): readonly string[] {
  const text = (value: JsonValue | undefined) =>
    typeof value === "string" && value !== "" ? [value.slice(0, 2_048).toWellFormed()] : [];
  if (typeof one === "string") return text(one);
  if (one === null || typeof one !== "object" || Array.isArray(one)) return [];
  return [...text(one.uri), ...text(one.id), ...text(one.source)].slice(0, 1);
}

/** What checks know besides the task and the answer. */
export function metaValues(
  { level, readings, capability }: Selection,
  { sapVersion, taskId, correlationId, parentTaskId }: NonNullable<SubmitTaskRequest["governance"]>,
  attempt: { readonly stage: string; readonly number: number; readonly pack: string },
): JsonObject {
  return {
    ...{ sap_version: sapVersion, task_id: taskId, correlation_id: correlationId, capability },
    ...{ parent_task_id: parentTaskId, level: levelName(level) },
    pressure: Object.fromEntries(readings.map(({ principle, psi }) => [principle, psi])),
    stage: attempt.stage,
    attempt: attempt.number,
    pack: attempt.pack,
  };
}
