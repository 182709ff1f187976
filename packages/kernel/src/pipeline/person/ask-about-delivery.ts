import { EscalationKind } from "@baton/contract";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import type { PipelineInput } from "../decision/input.ts";
import type { OpenEscalation } from "../state/state.ts";

/** The result is kept, so a person can have it sent again. */
export const deliverAgain = "retry";

/** A result could not be delivered within its time: a person decides, also after the end of the run. */
export function askAboutDelivery(
  draft: Draft,
  { delivery, host, reason }: Extract<PipelineInput, { type: "undelivered" }>,
): void {
  for (const open of draft.state.escalations.values())
    if (open.delivery?.deliveryId === delivery.deliveryId) return;
  escalate(draft, {
    kind: EscalationKind.DELIVERY,
    delivery,
    snapshot: {
      problem: `the result could not be delivered to ${host}: ${reason}`,
      impact: "its receiver does not know about it; the run itself is not affected",
      options: [deliverAgain, "give up"],
      recommended: "look into the receiver, then answer with retry",
      blocking: false,
    },
  });
}

/** After the answer of a person. */
export function deliverOnRequest(draft: Draft, { delivery }: OpenEscalation, resolution: string): void {
  if (!delivery || resolution !== deliverAgain) return;
  draft.command({ type: "deliver", delivery: { ...delivery, sinceMs: draft.nowMs } });
}
