import { type AgentResult, AgentResultSchema, Outcome, type TaskEnvelope, validate } from "@baton/contract";
import { checkSchemaVersion } from "../versions/schema-version.ts";

/** Step 7: checks that a result is valid and answers this envelope, in the order of A §3.2 step 7. */
export function findFault(
  envelope: TaskEnvelope,
  result: AgentResult,
  schemaVersion: string,
): string | undefined {
  const version = checkSchemaVersion(schemaVersion, result.protocolVersion?.schemaVersion ?? "");
  if (!version.accepted) return version.reason;
  const { trace, contract, execution } = envelope;
  const difference =
    compare("trace_id", trace?.traceId, result.trace?.traceId) ??
    compare("task_id", contract?.taskId, result.taskId) ??
    compare("dispatch_id", execution?.dispatchId, result.dispatchId) ??
    compare("attempt_number", execution?.attemptNumber, result.attemptNumber);
  if (difference !== undefined) return difference;
  const [violation] = validate(AgentResultSchema, result);
  if (violation) return `${violation.field || "the result"} ${violation.message}`;
  if (result.status?.outcome === Outcome.UNSPECIFIED) return "status.outcome is not set";
  return undefined;
}

/** Undefined when both are equal. */
function compare<Value>(name: string, sent: Value, received: Value): string | undefined {
  if (sent === received) return undefined;
  return `${name} is ${JSON.stringify(received)}, and ${JSON.stringify(sent)} was sent`;
}
