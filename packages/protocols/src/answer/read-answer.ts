import {
  type AgentResult,
  AgentResultSchema,
  ContractError,
  decodeJson,
  schemaVersion,
  type TaskEnvelope,
  type UsageSchema,
} from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { findObject } from "../sacp/find-object.ts";
import type { Repair } from "../sacp/lenient/repairs.ts";
import { isObject } from "./given-object.ts";
import { isLean, readLean } from "./lean-answer.ts";

/** What completes a lean answer: whose it is, of which attempt, and what was measured while it was made. */
export interface AnswerFrame {
  readonly envelope: TaskEnvelope;
  readonly packVersion: string;
  readonly instanceId: string;
  /** A span of its own, below the one that sent the task. */
  readonly spanId: string;
  readonly startedMs: number;
  readonly finishedMs: number;
  /** What the attempt spent, as far as it is known. */
  readonly usage?: MessageInitShape<typeof UsageSchema> | undefined;
}

export type AnswerReading =
  | { readonly ok: true; readonly result: AgentResult; readonly repairs: readonly Repair[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Finds the result in the output of an agent: a whole AgentResult, or the lean form, which is completed. The kernel decides
 * whether it is valid for its attempt. A truncated answer is refused: its end may have changed its meaning.
 */
export function readAnswer(text: string, frame: AnswerFrame): AnswerReading {
  const found = findObject(text, (value) => isWhole(unwrap(value)) || isLean(unwrap(value)));
  if (!found) return { ok: false, reason: whyNone(text) };
  if (found.isTruncated) return { ok: false, reason: "the answer is cut off before its end" };
  const { repairs } = found;
  const value = unwrap(found.value);
  if (isWhole(value)) return readWhole(value, repairs);
  const { init, problems } = readLean(value);
  if (problems.length === 0) return { ok: true, result: complete(init, frame), repairs };
  const described = problems.slice(0, maxProblems).map(({ at, message }) => `${at} ${message}`);
  return { ok: false, reason: described.join("; ") };
}

const maxProblems = 10;

/** Models often wrap the answer in a named object. */
function unwrap(value: JsonObject): JsonObject {
  const { result } = value;
  return isObject(result) && (isWhole(result) || isLean(result)) ? result : value;
}

function isWhole(value: JsonObject): boolean {
  return ("protocolVersion" in value || "protocol_version" in value) && isObject(value.status);
}

function readWhole(value: JsonObject, repairs: readonly Repair[]): AnswerReading {
  try {
    const result = decodeJson(AgentResultSchema, JSON.stringify(value), { unknownFields: "ignore" });
    return { ok: true, result, repairs };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { ok: false, reason: `${error.code} ${error.message}` };
  }
}

function complete(init: ReturnType<typeof readLean>["init"], frame: AnswerFrame): AgentResult {
  const { envelope, packVersion, instanceId, spanId, startedMs, finishedMs, usage } = frame;
  const { contract, execution, trace, protocolVersion } = envelope;
  return create(AgentResultSchema, {
    ...init,
    protocolVersion: {
      schemaVersion,
      policyVersion: protocolVersion?.policyVersion ?? "",
      capabilitySchemaVersion: protocolVersion?.capabilitySchemaVersion ?? "",
      packVersion,
    },
    trace: {
      traceId: trace?.traceId ?? "",
      spanId,
      parentSpanId: trace?.spanId ?? "",
      tenantId: trace?.tenantId ?? "",
      agentId: instanceId,
    },
    timing: {
      startedAt: timestampFromMs(startedMs),
      finishedAt: timestampFromMs(finishedMs),
      duration: durationFromMs(finishedMs - startedMs),
    },
    taskId: contract?.taskId ?? "",
    dispatchId: execution?.dispatchId ?? "",
    attemptNumber: execution?.attemptNumber ?? 0,
    ...(usage && { usage }),
  });
}

function whyNone(text: string): string {
  if (text.trim() === "") return "its output is empty";
  return 'there is no answer in its output: a JSON object with "status" and "summary"';
}
