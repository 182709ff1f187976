import {
  type AgentResult,
  ContextOutSchema,
  EvidenceSchema,
  Outcome,
  ResponseStatus,
  StructuredResponseSchema,
} from "@baton/contract";
import { create, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import type { AnswerPart } from "./policy.ts";
import type { RedactedAnswer } from "./verdict.ts";

/** What guardrails see of a result: everything that a later agent or a person may. */
export interface GuardedAnswer {
  /** Of the structured response (SACP §2); empty without one. */
  readonly status: string;
  readonly message: string;
  readonly thought: string;
  readonly data: JsonObject;
  readonly next_step_hint: string;
  /** Of the result. */
  readonly outcome: string;
  readonly summary: string;
  readonly failure_reason: string;
  /** Decisions, assumptions and notes for later stages, artifacts and blockers. */
  readonly context: JsonObject;
}

export function guardedAnswer(result: AgentResult): GuardedAnswer {
  const { status, response, contextOut, artifacts, blockers } = result;
  return {
    status: response ? (ResponseStatus[response.status] ?? "").toLowerCase() : "",
    message: response?.message ?? "",
    thought: response?.thought ?? "",
    data: response?.data ?? {},
    next_step_hint: response?.nextStepHint ?? "",
    outcome: (Outcome[status?.outcome ?? 0] ?? "").toLowerCase(),
    summary: status?.summary ?? "",
    failure_reason: status?.failureReason ?? "",
    context: {
      ...(contextOut && { context_out: toJson(ContextOutSchema, contextOut, { useProtoFieldName: true }) }),
      ...(artifacts.length > 0 && { artifacts: artifacts.map(({ path }) => path) }),
      ...(blockers.length > 0 && {
        blockers: blockers.map(({ description, suggestedResolution }) => [description, suggestedResolution]),
      }),
    },
  };
}

/** A failure in the sense of SACP §9.1: by its status, or by its outcome without one. */
export function isFailure({ status, outcome }: GuardedAnswer): boolean {
  return status === "failure" || (outcome !== "success" && outcome !== "partial");
}

/** A text of an answer, with its path. */
export interface AnswerText {
  readonly path: string;
  readonly text: string;
}

/** Top-level values of a part, by their paths. */
export function valuesOf(
  answer: GuardedAnswer,
  part: AnswerPart,
): readonly [path: string, value: JsonValue][] {
  switch (part) {
    case "message":
      return [["response.message", answer.message]];
    case "thought":
      return [
        ["response.thought", answer.thought],
        ["response.next_step_hint", answer.next_step_hint],
      ];
    case "data":
      return [["response.data", answer.data]];
    case "summary":
      return [
        ["status.summary", answer.summary],
        ["status.failure_reason", answer.failure_reason],
      ];
    case "context":
      return [["context", answer.context]];
  }
}

/** Every text of the parts: values and names, and numbers, which may be those of cards. */
export function* textsOf(answer: GuardedAnswer, parts: readonly AnswerPart[]): Iterable<AnswerText> {
  for (const part of parts) for (const [path, value] of valuesOf(answer, part)) yield* walk(path, value);
}

export function* walk(path: string, value: JsonValue): Iterable<AnswerText> {
  if (typeof value === "string") {
    if (value !== "") yield { path, text: value };
  } else if (typeof value === "number") yield { path, text: String(value) };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* walk(`${path}[${index}]`, item);
  else if (value !== null && typeof value === "object")
    for (const [name, member] of Object.entries(value)) {
      // A name may be what must not be said, so it is no part of a path before it is checked.
      const at = /^[\w-]{1,64}$/.test(name) ? `${path}.${name}` : `${path}.*`;
      yield { path: `${path}.*`, text: name };
      yield* walk(at, member);
    }
}

/** The failure that takes the place of an answer. What was spent and how long it took stays. */
export function withheldResult(result: AgentResult, reason: string): AgentResult {
  const { status, contextOut: _, ...rest } = result;
  return {
    ...rest,
    ...(status && {
      status: {
        ...status,
        outcome: Outcome.NON_RETRYABLE_FAILURE,
        summary: reason,
        failureCode: "GUARDRAIL",
        failureReason: reason,
      },
    }),
    artifacts: [],
    blockers: [],
    evidence: create(EvidenceSchema, { evidencePayload: { case: "noneWithReason", value: reason } }),
    response: create(StructuredResponseSchema, { status: ResponseStatus.FAILURE, message: reason }),
  };
}

/** The result with the redacted texts of a failure. */
export function redactedResult(
  result: AgentResult,
  { message, summary, failureReason }: RedactedAnswer,
): AgentResult {
  const { status, response } = result;
  return {
    ...result,
    ...(response && message !== undefined && { response: { ...response, message } }),
    ...(status && {
      status: {
        ...status,
        ...(summary !== undefined && { summary }),
        ...(failureReason !== undefined && { failureReason }),
      },
    }),
  };
}
