import { AlignmentVerdict } from "@baton/contract";
import { brief } from "../../brief.ts";
import { sentOf } from "../state/stage-state.ts";
import { hasEnded, type PipelineState } from "../state/state.ts";
import type { Command } from "./command.ts";
import type { Actor, ReviewVerdict } from "./input.ts";

/** Commands for the other side of a review by an agent: the run under review, or the run that reviews. */
export function reviewCommands(before: PipelineState | undefined, after: PipelineState): readonly Command[] {
  if (!before || before === after) return [];
  return [...reportOf(before, after), ...withdrawals(before, after)];
}

function reportOf(before: PipelineState, after: PipelineState): readonly Command[] {
  if (!after.reviewOf || hasEnded(before) || !hasEnded(after)) return [];
  const { reviewOf } = after;
  if (reviewOf.consultedAbout === undefined)
    return [{ type: "report-review", ...reviewOf, ...verdictOf(after) }];
  return [
    { type: "report-consultation", ...reviewOf, consultedAbout: reviewOf.consultedAbout, ...adviceOf(after) },
  ];
}

/** The verdict of a consulted agent; without one a person decides. */
function adviceOf({ life, stages }: PipelineState) {
  const [stage] = stages;
  const packId = (stage && sentOf(stage)?.choice.packId) ?? "";
  if (life.status !== "COMPLETED" || stage?.status !== "COMPLETED") {
    const notes = brief("reason" in life ? life.reason : `its run is ${life.status}`);
    return { verdict: "ESCALATE", notes, packId } as const;
  }
  const { verdict, reason } = stage.result.response?.data ?? {};
  const advice = advices.find((one) => one.toLowerCase() === verdict) ?? "ESCALATE";
  return { verdict: advice, notes: brief(typeof reason === "string" ? reason : ""), packId };
}

const advices = ["VALID", "NON_CONSTITUTIONAL", "ESCALATE"] as const;

/** The verdict of a review run; none when it failed or was aborted. */
function verdictOf({ life, stages }: PipelineState): {
  readonly verdict: ReviewVerdict | undefined;
  readonly reason: string;
  readonly by: Actor;
} {
  const [stage] = stages;
  const sent = stage && sentOf(stage);
  const by: Actor = sent
    ? {
        ...{ kind: "agent", id: sent.choice.instanceId, packId: sent.choice.packId },
        ...(sent.agentKey !== undefined && { keyId: sent.agentKey }),
      }
    : { kind: "orchestrator", id: "baton" };
  if (life.status !== "COMPLETED" || stage?.status !== "COMPLETED") {
    const reason = "reason" in life ? life.reason : `its run is ${life.status}`;
    return { verdict: undefined, reason: brief(reason), by };
  }
  const data = stage.result.response?.data ?? {};
  const reason = brief(typeof data.reason === "string" ? data.reason : "") || "the reviewer gives no reason";
  const given = Array.isArray(data.instructions) ? data.instructions : [];
  const instructions = given.flatMap((one) => (typeof one === "string" ? [one] : []));
  if (data.verdict === "approve") return { verdict: { kind: "approve" }, reason, by };
  if (data.verdict === "reject")
    return { verdict: { kind: "reject", targetStageId: undefined, instructions }, reason, by };
  return { verdict: undefined, reason: "its answer has no verdict", by };
}

/** Work that is no longer under review: the review run is withdrawn. */
function withdrawals(before: PipelineState, after: PipelineState): readonly Command[] {
  const reviewed = underReview(before);
  if (reviewed.size === 0) return [];
  const still = underReview(after);
  return [...reviewed]
    .filter((dispatchId) => !still.has(dispatchId))
    .map((dispatchId) => ({ type: "withdraw-review", dispatchId }));
}

/** Attempts that an agent reviews, and consultations that are open. */
function underReview(state: PipelineState): ReadonlySet<string> {
  const found = new Set<string>();
  if (hasEnded(state)) return found;
  for (const { phase, report } of state.alignments?.values() ?? [])
    if (phase === "consulting")
      for (const { pipelineId, verdict } of report.consultations)
        if (verdict === AlignmentVerdict.UNSPECIFIED) found.add(pipelineId);
  if (state.tally.DISPATCHED === 0) return found;
  for (const stage of state.stages)
    if (stage.status === "DISPATCHED" && stage.phase.kind === "reviewing" && stage.phase.reviewer === "agent")
      found.add(stage.phase.sent.dispatchId);
  return found;
}
