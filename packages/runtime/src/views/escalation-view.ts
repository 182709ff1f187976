import { type Escalation, EscalationKind, EscalationSchema, RiskTier } from "@baton/contract";
import type { OpenEscalation, PipelineState, Redactor } from "@baton/kernel";
import { causeOf, effectiveTier, sentOf } from "@baton/kernel";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { EscalationRow } from "../ports/store.ts";

interface Answer {
  readonly resolution: string;
  readonly by: string;
  readonly atMs: number;
}

/** The stored row of an escalation, open or answered. */
export function escalationRow(
  listing: Redactor,
  state: PipelineState,
  open: OpenEscalation,
  answer?: Answer,
): EscalationRow {
  const { message: escalation } = listing.redactMessage(
    EscalationSchema,
    escalationView(state, open, answer),
  );
  return {
    escalationId: open.id,
    tenantId: state.tenantId,
    pipelineId: state.id,
    stageId: escalation.stageId,
    kind: EscalationKind[open.kind] ?? "UNSPECIFIED",
    riskTier: RiskTier[escalation.riskTier] ?? "UNSPECIFIED",
    raisedAtMs: open.raisedAtMs,
    resolvedAtMs: answer?.atMs,
    escalation: toBinary(EscalationSchema, escalation),
  };
}

export function escalationView(
  state: PipelineState,
  open: OpenEscalation,
  answer: Answer | undefined,
): Escalation {
  const stage = open.stage === undefined ? undefined : state.stages[open.stage];
  const plan = open.stage === undefined ? undefined : state.plan.stages[open.stage];
  const sent = stage && sentOf(stage);
  return create(EscalationSchema, {
    escalationId: open.id,
    kind: open.kind,
    pipelineId: state.id,
    stageId: plan?.id ?? "",
    dispatchId: open.dispatchId,
    snapshot: answer
      ? { ...open.snapshot, resolution: answer.resolution, resolvedBy: answer.by }
      : open.snapshot,
    raisedAt: timestampFromMs(open.raisedAtMs),
    ...(answer && { resolvedAt: timestampFromMs(answer.atMs) }),
    pipelineName: state.name,
    packId: open.dispatchId === "" || sent?.dispatchId === open.dispatchId ? (sent?.choice.packId ?? "") : "",
    cause: causeOf(open.kind, open.snapshot),
    riskTier: sent?.choice.riskTier ?? effectiveTier(state.task.riskTier, plan?.riskTier),
  });
}
