import type { EscalationKind, EscalationSnapshot } from "@baton/contract";
import type { Delivery } from "../state/delivery.ts";
import type { PipelineState } from "../state/state.ts";
import type { RecordOf } from "./record.ts";

/** Questions to a person. */
export type QuestionRecord =
  | {
      readonly type: "escalated";
      readonly escalationId: string;
      readonly kind: EscalationKind;
      readonly stage: number | undefined;
      readonly dispatchId: string;
      readonly snapshot: EscalationSnapshot;
      /** Set where a message could not be delivered. */
      readonly delivery?: Delivery;
      readonly atMs: number;
    }
  | {
      readonly type: "resolved";
      readonly escalationId: string;
      readonly resolution: string;
      readonly by: string;
      readonly atMs: number;
    };

export function escalated(state: PipelineState, record: RecordOf<"escalated">): PipelineState {
  const { escalationId: id, kind, stage, dispatchId, snapshot, delivery, atMs: raisedAtMs } = record;
  const escalations = new Map(state.escalations);
  const open = { id, kind, stage, dispatchId, snapshot, raisedAtMs, ...(delivery && { delivery }) };
  escalations.set(id, open);
  return { ...state, escalations, escalationsRaised: state.escalationsRaised + 1 };
}

export function resolved(state: PipelineState, { escalationId }: RecordOf<"resolved">): PipelineState {
  const escalations = new Map(state.escalations);
  escalations.delete(escalationId);
  return { ...state, escalations };
}
