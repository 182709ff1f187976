import { type AgentResult, AgentResultSchema, Outcome, type TaskEnvelope } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { Init } from "./init.ts";

/** A valid result for an envelope, with overrides. */
export function resultFor(envelope: TaskEnvelope, init: Init<typeof AgentResultSchema> = {}): AgentResult {
  return create(AgentResultSchema, {
    protocolVersion: { schemaVersion: "1.0.0" },
    status: { outcome: Outcome.SUCCESS, summary: "done" },
    trace: { ...envelope.trace, $typeName: "vasini.agent.v1.TraceContext" } as never,
    evidence: { evidencePayload: { case: "noneWithReason", value: "nothing to run" } },
    taskId: envelope.contract?.taskId ?? "",
    dispatchId: envelope.execution?.dispatchId ?? "",
    attemptNumber: envelope.execution?.attemptNumber ?? 0,
    ...init,
  });
}
