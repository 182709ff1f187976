import type { Problem } from "../problem.ts";
import { decideReview } from "./decide-review.ts";
import type { Draft } from "./draft.ts";
import type { PipelineInput } from "./input.ts";
import { requestReview } from "./review.ts";

/**
 * The run of a reviewer agent has ended. Without a verdict, or with one that is not this agent's to give, a person
 * reviews instead: work never waits for a review that nobody does.
 */
export function takeAgentReview(
  draft: Draft,
  { stageId, dispatchId, verdict, reason, by }: Extract<PipelineInput, { type: "agent-reviewed" }>,
): Problem | undefined {
  const index = draft.state.plan.indexOf.get(stageId);
  const stage = index === undefined ? undefined : draft.stage(index);
  const phase = stage?.status === "DISPATCHED" ? stage.phase : undefined;
  if (index === undefined || phase?.kind !== "reviewing" || phase.sent.dispatchId !== dispatchId)
    return undefined;
  if (phase.reviewer !== "agent") return undefined;
  const unfit = verdict && decideReview(draft, { type: "review", stageId, dispatchId, verdict, reason, by });
  if (verdict && !unfit) return undefined;
  const { sent, result, checks } = phase;
  const why = unfit ? `${unfit.message}; its verdict was: ${reason}` : reason;
  requestReview(draft, { index, sent, result, checks }, "person", `no agent could review it: ${why}`);
  return undefined;
}
