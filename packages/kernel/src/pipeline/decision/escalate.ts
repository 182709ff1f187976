import { AuditEventType, EscalationKind, EscalationSnapshotSchema } from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import type { Delivery } from "../state/delivery.ts";
import { type Sent, waitOf } from "../state/stage-state.ts";
import type { OpenEscalation, PipelineState } from "../state/state.ts";
import type { Draft } from "./draft.ts";
import type { Actor } from "./input.ts";

export interface Question {
  readonly kind: EscalationKind;
  readonly stage?: number | undefined;
  readonly sent?: Sent | undefined;
  readonly snapshot: MessageInitShape<typeof EscalationSnapshotSchema>;
  /** The message that could not be delivered. */
  readonly delivery?: Delivery;
}

/** Opens a question to a person: problem, impact, options and recommendation (A §5.2). */
export function escalate(draft: Draft, { kind, stage, sent, snapshot, delivery }: Question): string {
  const { state, nowMs } = draft;
  const escalationId = `${state.id}/e${state.escalationsRaised + 1}`;
  const full = create(EscalationSnapshotSchema, snapshot);
  draft.record({
    type: "escalated",
    escalationId,
    kind,
    stage,
    dispatchId: sent?.dispatchId ?? "",
    snapshot: full,
    ...(delivery && { delivery }),
    atMs: nowMs,
  });
  draft.note(AuditEventType.ESCALATION, `asked a person: ${EscalationKind[kind]}`, {
    stage,
    sent,
    rationale: full.problem,
    snapshot: { case: "escalation", value: full },
  });
  const escalation = draft.state.escalations.get(escalationId);
  if (escalation) draft.command({ type: "ask-person", escalation });
  return escalationId;
}

/** Closes a question: a person answered, or it no longer applies. */
export function resolve(
  draft: Draft,
  escalationId: string | undefined,
  resolution: string,
  by: Actor,
  reason = "",
  edited?: JsonObject,
): void {
  const open = escalationId === undefined ? undefined : draft.state.escalations.get(escalationId);
  if (!open) return;
  draft.record({ type: "resolved", escalationId: open.id, resolution, by: by.id, atMs: draft.nowMs });
  const { toolCall } = open.snapshot;
  const instead = toolCall && edited && { toolCall: { ...toolCall, argumentsJson: JSON.stringify(edited) } };
  draft.note(AuditEventType.ESCALATION_RESOLVED, `answered: ${resolution}`, {
    stage: open.stage,
    actor: by,
    rationale: reason,
    snapshot: { case: "escalation", value: { ...open.snapshot, ...instead, resolution, resolvedBy: by.id } },
  });
}

/** Closes all questions about a stage that has moved on. */
export function voidQuestions(draft: Draft, stage: number, why: string, by: Actor): void {
  for (const { id, stage: about } of draft.state.escalations.values()) {
    if (about === stage) resolve(draft, id, why, by);
  }
}

export const answeredByResuming = new Set([
  EscalationKind.FAILURE,
  EscalationKind.POLICY,
  EscalationKind.DEADLINE,
]);

/** Whether resuming answers the question: not when a stage waits for this answer. */
export function isAnsweredByResuming(state: PipelineState, { id, kind, stage }: OpenEscalation): boolean {
  return answeredByResuming.has(kind) && (stage === undefined || !waitsFor(state, stage, id));
}

export function waitsFor({ stages }: PipelineState, index: number, escalationId: string): boolean {
  const stage = stages[index];
  const wait = stage && waitOf(stage);
  return wait !== undefined && "escalationId" in wait && wait.escalationId === escalationId;
}
