import { EscalationKind } from "@baton/contract";
import { describeDecline } from "../../trust/entropy/decline.ts";
import { observeConfidence } from "../../trust/entropy/entropy.ts";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import type { PipelineInput } from "../decision/input.ts";
import { stageThatSent } from "./receive-result.ts";

/** TUR-07: falling confidence of an agent asks a person without stopping anything. */
export function observe(
  draft: Draft,
  { dispatchId, turnIndex, confidence }: Extract<PipelineInput, { type: "turn" }>,
): void {
  const index = stageThatSent(draft, dispatchId);
  const stage = index === undefined ? undefined : draft.stage(index);
  if (index === undefined || stage?.status !== "DISPATCHED" || stage.phase.kind !== "sent") return;
  const { state: entropy, alarm } = observeConfidence(
    stage.phase.entropy,
    { turnIndex, confidence },
    draft.world.entropy,
  );
  // Retransmitted turns are ignored.
  if (entropy === stage.phase.entropy) return;
  draft.record({ type: "observed", stage: index, entropy, atMs: draft.nowMs });
  if (!alarm) return;
  escalate(draft, {
    kind: EscalationKind.ENTROPY,
    stage: index,
    sent: stage.phase.sent,
    snapshot: {
      problem: describeDecline(alarm),
      impact: "none yet: the agent goes on",
      options: ["acknowledge", "abort"],
      recommended: "look at its turns",
      blocking: false,
    },
  });
}
