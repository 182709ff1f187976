import { type AgentResult, AgentResultSchema, Outcome, type TaskEnvelope, validate } from "@baton/contract";
import { judgeSchemaVersion } from "./schema-version.ts";

/** Step 7: is this the answer to that envelope, and is it one at all? All of A §3.2 step 7, in its order. */
export function findFault(
  envelope: TaskEnvelope,
  result: AgentResult,
  schemaVersion: string,
): string | undefined {
  const version = judgeSchemaVersion(schemaVersion, result.protocolVersion?.schemaVersion ?? "");
  if (!version.accepted) return version.reason;
  const differing = [
    ["trace_id", envelope.trace?.traceId, result.trace?.traceId],
    ["task_id", envelope.contract?.taskId, result.taskId],
    ["dispatch_id", envelope.execution?.dispatchId, result.dispatchId],
    ["attempt_number", envelope.execution?.attemptNumber, result.attemptNumber],
  ].find(([, sent, received]) => sent !== received);
  if (differing)
    return `${differing[0]} is ${JSON.stringify(differing[2])}, and ${JSON.stringify(differing[1])} was sent`;
  const [violation] = validate(AgentResultSchema, result);
  if (violation) return `${violation.field || "the result"} ${violation.message}`;
  if (result.status?.outcome === Outcome.UNSPECIFIED) return "status.outcome says nothing";
  return undefined;
}
