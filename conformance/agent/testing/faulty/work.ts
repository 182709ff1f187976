import { setTimeout as pause } from "node:timers/promises";
import {
  type AgentResult,
  AgentResultSchema,
  Outcome,
  ResponseStatus,
  type TaskEnvelope,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Faults } from "./faults.ts";

let runs = 0;

/** Does a task of the suite. Resolves with undefined when it was stopped. */
export async function work(
  envelope: TaskEnvelope,
  stopped: AbortSignal,
  faults: Faults,
): Promise<AgentResult | undefined> {
  const leftMs = faults.has("ignores-the-timeout") ? Number.POSITIVE_INFINITY : timeLeftMs(envelope);
  const outOfTime = () => failure(envelope, faults, "the attempt ran out of time");
  if (leftMs <= 0) return outOfTime();
  const run = ++runs;
  const { ms } = envelope.inputs ?? {};
  const type = envelope.routing?.taskType;
  if (type === "conformance.fail") return failure(envelope, faults, "as it was asked to");
  if (type === "conformance.slow" && typeof ms === "number") {
    await pause(Math.min(ms, leftMs), undefined, { signal: stopped }).catch(() => {});
    if (stopped.aborted && !faults.has("answers-after-cancel")) return undefined;
    if (ms > leftMs) return outOfTime();
  }
  const data = { inputs: envelope.inputs ?? {}, run };
  const response = { status: ResponseStatus.SUCCESS, data };
  return resultFor(envelope, faults, { status: { outcome: Outcome.SUCCESS }, response });
}

function failure(envelope: TaskEnvelope, faults: Faults, failureReason: string): AgentResult {
  return resultFor(envelope, faults, { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason } });
}

type Init = MessageInitShape<typeof AgentResultSchema>;

function resultFor({ contract, execution, trace }: TaskEnvelope, faults: Faults, init: Init): AgentResult {
  const attemptNumber = execution?.attemptNumber ?? 1;
  return create(AgentResultSchema, {
    protocolVersion: { schemaVersion: "1.0.0" },
    trace: { ...(trace && { traceId: trace.traceId, tenantId: trace.tenantId }), spanId: "0".repeat(16) },
    evidence: { evidencePayload: { case: "noneWithReason", value: "a broken agent has nothing to show" } },
    taskId: contract?.taskId ?? "",
    dispatchId: execution?.dispatchId ?? "",
    attemptNumber: faults.has("wrong-attempt") ? attemptNumber + 1 : attemptNumber,
    status: init.status ?? {},
    ...(init.response && { response: init.response }),
  });
}

function timeLeftMs({ execution }: TaskEnvelope): number {
  const { timeout, deadline } = execution ?? {};
  const untilDeadlineMs = deadline ? timestampMs(deadline) - Date.now() : Number.POSITIVE_INFINITY;
  return Math.min(timeout ? durationMs(timeout) : Number.POSITIVE_INFINITY, untilDeadlineMs);
}
