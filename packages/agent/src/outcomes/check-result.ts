import {
  type AgentResult,
  AgentResultSchema,
  ContractError,
  decodeBinary,
  defaultLimits,
  encodeBinary,
  Outcome,
  validate,
} from "@baton/contract";
import { isMessage } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import type { AttemptFacts } from "../attempt-facts.ts";

/** The attach message around a result. */
const wrappingBytes = 1_024;

/** Makes the checks of the hub in its order (A §3.2 step 7), so that the author learns why a result is invalid. */
export function checkResult({ contract, execution, trace }: AttemptFacts, result: unknown): AgentResult {
  if (!isMessage(result, AgentResultSchema)) {
    throw invalid(`run() must return a result, but returned ${describe(result)}`);
  }
  const differing = [
    ["trace.trace_id", trace.traceId, result.trace?.traceId],
    ["task_id", contract.taskId, result.taskId],
    ["dispatch_id", execution.dispatchId, result.dispatchId],
    ["attempt_number", execution.attemptNumber, result.attemptNumber],
  ].find(([, sent, answered]) => sent !== answered);
  if (differing) throw invalid(`${differing[0]} differs from the task`);
  if (result.status?.outcome === Outcome.UNSPECIFIED) throw invalid("status.outcome is not set");
  checkEncoded(result);
  const [violation] = validate(AgentResultSchema, result);
  if (violation) throw invalid(`${violation.field || "the result"} ${violation.message}`);
  return result;
}

/** The limits of the decoder: bytes, elements, depth. */
function checkEncoded(result: AgentResult): void {
  let bytes: Uint8Array;
  try {
    bytes = encodeBinary(AgentResultSchema, result);
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause), cause);
  }
  if (isWithinLimits(bytes, result)) return;
  try {
    const maxBytes = defaultLimits.maxBytes - wrappingBytes;
    decodeBinary(AgentResultSchema, bytes, { ...defaultLimits, maxBytes });
  } catch (cause) {
    if (!(cause instanceof ContractError)) throw cause;
    const code = cause.code === "BATON-CONTRACT-001" ? "BATON-SDK-005" : "BATON-SDK-004";
    throw new AgentError(code, cause.message, { at: "the result", cause });
  }
}

/** Decides most results without decoding: an element has at least one byte, and only `data` nests. */
function isWithinLimits({ length }: Uint8Array, { response }: AgentResult): boolean {
  const isNested = Object.values(response?.data ?? {}).some((value) => typeof value === "object");
  return length <= defaultLimits.maxElements && !isNested;
}

function invalid(message: string, cause?: unknown): AgentError {
  return new AgentError("BATON-SDK-004", message, { at: "the result of run()", cause });
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  return typeof value === "object" ? "another object" : `a ${typeof value}`;
}
