import type { AgentResult } from "@baton/contract";
import { type PipelineState, type Sent, sentOf } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import type { Fold, Memory, Step } from "./step.ts";

/** An answer counts at most once, and only the one to the attempt that is under way (DIS-13). */
export function checkFence({ input, before, records }: Step, after: PipelineState): void {
  const received = records.filter(({ type }) => type === "received");
  if (input.type !== "result") {
    demand(received.length === 0, "only a result is received", () => input.type);
    return;
  }
  const awaited = before && awaitedAttempt(before, input.dispatchId);
  if (!awaited) {
    demand(
      records.every(({ type }) => type === "disregarded"),
      "a result of another attempt changes nothing",
      () => `${input.dispatchId} led to ${records.map(({ type }) => type).join(", ")}`,
    );
    demand(
      after.stages === before?.stages,
      "a result of another attempt changes nothing",
      () => input.dispatchId,
    );
    return;
  }
  const matches = input.answer.kind === "result" && answersTo(input.answer.result, awaited);
  demand(
    matches || received.length === 0,
    "a result of another attempt changes nothing",
    () => `${awaited.dispatchId} took a result that is not an answer to it`,
  );
}

/** A stage completes once a round, a dispatch counts one result, and only what was received completes. */
export function checkCounting({ record, before, after }: Fold, memory: Memory): void {
  if (record.type === "unblocked") memory.rounds[record.stage] = (memory.rounds[record.stage] ?? 0) + 1;
  if (record.type === "rejected") memory.rounds[record.target] = (memory.rounds[record.target] ?? 0) + 1;
  if (record.type === "restored") {
    for (const [place, { status }] of record.stages.entries())
      if (status === "READY") memory.rounds[place] = (memory.rounds[place] ?? 0) + 1;
  }
  if (record.type === "dispatched") {
    const { dispatchId } = record;
    demand(
      !memory.dispatched.has(dispatchId),
      "every attempt has a dispatch id of its own",
      () => dispatchId,
    );
    memory.dispatched.add(dispatchId);
  }
  if (record.type === "received") {
    const stage = before?.stages[record.stage];
    const dispatchId = (stage && sentOf(stage)?.dispatchId) ?? "";
    demand(
      !memory.counted.has(dispatchId),
      "one result counts for a dispatch",
      () => `${dispatchId} counted twice`,
    );
    memory.counted.add(dispatchId);
  }
  if (record.type !== "completed") return;
  const round = memory.rounds[record.stage] ?? 0;
  demand(
    memory.completedRound[record.stage] !== round,
    "a stage completes once a round",
    () => `stage ${record.stage} completed twice in round ${round}`,
  );
  memory.completedRound[record.stage] = round;
  const stage = after.stages[record.stage];
  const sent = stage && sentOf(stage);
  demand(
    sent !== undefined && memory.counted.has(sent.dispatchId),
    "only a result that counted completes a stage",
    () => `stage ${record.stage} completed with ${sent?.dispatchId}`,
  );
}

function awaitedAttempt({ stages, life }: PipelineState, dispatchId: string): Sent | undefined {
  // A pipeline that has ended waits for nothing.
  if (life.status !== "RUNNING" && life.status !== "PAUSED") return undefined;
  for (const stage of stages) {
    if (
      stage.status === "DISPATCHED" &&
      stage.phase.kind === "sent" &&
      stage.phase.sent.dispatchId === dispatchId
    ) {
      return stage.phase.sent;
    }
  }
  return undefined;
}

function answersTo(result: AgentResult, { envelope, dispatchId, attempt }: Sent): boolean {
  return (
    result.dispatchId === dispatchId &&
    result.attemptNumber === attempt &&
    result.trace?.traceId === envelope.trace?.traceId &&
    result.taskId === envelope.contract?.taskId &&
    result.protocolVersion?.schemaVersion === "1.0.0" &&
    result.evidence?.evidencePayload.case !== undefined &&
    result.status !== undefined &&
    result.status.outcome !== 0
  );
}
