import type { AgentResult } from "@baton/contract";
import { type PipelineState, type Sent, sentOf } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Fold, Model, Step } from "./step.ts";

/** A result counts at most once, and only for the current attempt (DIS-13). */
export function checkFence({ input, before, records }: Step, after: PipelineState): void {
  const received = records.filter(({ type }) => type === "received");
  if (input.type !== "result") {
    invariant(received.length === 0, "only results are received", () => input.type);
    return;
  }
  const awaited = before && awaitedAttempt(before, input.dispatchId);
  if (!awaited) {
    invariant(
      records.every(({ type }) => type === "disregarded"),
      "a result of another attempt changes nothing",
      () => `${input.dispatchId} led to ${records.map(({ type }) => type).join(", ")}`,
    );
    invariant(
      after.stages === before?.stages,
      "a result of another attempt changes nothing",
      () => input.dispatchId,
    );
    return;
  }
  const matches = input.answer.kind === "result" && answersTo(input.answer.result, awaited);
  invariant(
    matches || received.length === 0,
    "a result of another attempt changes nothing",
    () => `${awaited.dispatchId} accepted a result of another attempt`,
  );
}

/** A stage completes once per round, a dispatch counts one result, and only received results complete a stage. */
export function checkCounting({ record, before, after }: Fold, model: Model): void {
  if (record.type === "unblocked") model.rounds[record.stage] = (model.rounds[record.stage] ?? 0) + 1;
  if (record.type === "rejected") model.rounds[record.target] = (model.rounds[record.target] ?? 0) + 1;
  if (record.type === "restored") {
    for (const [place, { status }] of record.stages.entries())
      if (status === "READY") model.rounds[place] = (model.rounds[place] ?? 0) + 1;
  }
  if (record.type === "dispatched") {
    const { dispatchId } = record;
    invariant(!model.dispatched.has(dispatchId), "dispatch ids are unique", () => dispatchId);
    model.dispatched.add(dispatchId);
  }
  if (record.type === "received") {
    const stage = before?.stages[record.stage];
    const dispatchId = (stage && sentOf(stage)?.dispatchId) ?? "";
    invariant(
      !model.counted.has(dispatchId),
      "a dispatch counts one result",
      () => `${dispatchId} counted twice`,
    );
    model.counted.add(dispatchId);
  }
  if (record.type !== "completed") return;
  const round = model.rounds[record.stage] ?? 0;
  invariant(
    model.completedRound[record.stage] !== round,
    "a stage completes once per round",
    () => `stage ${record.stage} completed twice in round ${round}`,
  );
  model.completedRound[record.stage] = round;
  const stage = after.stages[record.stage];
  const sent = stage && sentOf(stage);
  invariant(
    sent !== undefined && model.counted.has(sent.dispatchId),
    "a stage completes only with a counted result",
    () => `stage ${record.stage} completed with ${sent?.dispatchId}`,
  );
}

function awaitedAttempt({ stages, life }: PipelineState, dispatchId: string): Sent | undefined {
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
