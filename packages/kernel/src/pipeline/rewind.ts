import { type AgentResult, AuditEventType, CancelReason, type ReviewFeedback } from "@baton/contract";
import { inputsFor, startWhatCan } from "./advance.ts";
import { type Draft, orchestrator } from "./draft.ts";
import { standDown } from "./end-attempt.ts";
import { keepOrWithdrawEnd } from "./end-early.ts";
import { voidQuestions } from "./escalate.ts";
import { failStage } from "./fail-stage.ts";
import { feedbackFor, reviewCheck } from "./feedback.ts";
import type { Actor } from "./input.ts";
import { type Judged, noteGate } from "./judged.ts";
import { resultOf, sentOf } from "./state.ts";
import { descendantsOf } from "./topology.ts";

export interface Rejection {
  /** The stage to go back to. */
  readonly target: number;
  readonly instructions: readonly string[];
  readonly reason: string;
  readonly by: Actor;
}

/** A review sends the work back (A §4.6), as long as the pipeline has rejections left (I6). */
export function reject(draft: Draft, judged: Judged, rejection: Rejection): void {
  const { index, result } = judged;
  const { target, instructions, reason, by } = rejection;
  const { rejectionsUsed, plan } = draft.state;
  if (rejectionsUsed >= plan.limits.maxRejections) {
    noteGate(draft, judged, AuditEventType.GATE_FAILED, { passed: false, by, reason });
    const spent = `rejected once more than the ${plan.limits.maxRejections} times that are allowed: ${reason}`;
    return failStage(draft, index, { code: "REJECTIONS_EXHAUSTED", reason: spent, result });
  }
  const goesTo = draft.plan(target).id;
  noteGate(draft, judged, AuditEventType.GATE_REJECTED, { passed: false, by, reason, target: goesTo });
  const feedback = feedbackFor({
    rejectedBy: draft.plan(index).id,
    sent: sentOf(draft.stage(target)) ?? judged.sent,
    result: resultOf(draft.stage(target)) ?? result,
    failedChecks: [reviewCheck(reason, result)],
    instructions: [reason, ...instructions],
  });
  rewind(draft, target, { feedback, counts: true, edge: undefined, why: reason, by });
  startWhatCan(draft);
}

/** `retry_with_instruction` (SACP §11): talks back to the stage before, or to itself when there is none. */
export function rewindToPrevious(draft: Draft, judged: Judged, instruction: string): void {
  const { index, sent } = judged;
  const ran = draft.plan(index).dependsOn.filter((place) => draft.stage(place).status === "COMPLETED");
  const by: Actor = { kind: "agent", id: sent.choice.instanceId };
  const reason = instruction || "the agent sends the work back and does not say why";
  reject(draft, judged, { target: ran.at(-1) ?? index, instructions: [], reason, by });
}

/** An edge of a graph that goes back. Its own bound limits it, not that of rejections. */
export function rewindAlongEdge(draft: Draft, index: number, edge: number, answer: AgentResult): void {
  const target = draft.plan(index).rewindEdges[edge]?.target ?? index;
  const sent = sentOf(draft.stage(target));
  const why = answer.response?.message || answer.status?.summary || "an edge of the graph goes back";
  const rejectedBy = draft.plan(index).id;
  const result = resultOf(draft.stage(target));
  const feedback = sent && feedbackFor({ rejectedBy, sent, result, instructions: [why] });
  rewind(draft, target, { feedback, counts: false, edge: { stage: index, edge }, why, by: orchestrator });
  startWhatCan(draft);
}

export interface RewindDetail {
  readonly feedback: ReviewFeedback | undefined;
  readonly counts: boolean;
  readonly edge: { readonly stage: number; readonly edge: number } | undefined;
  readonly why: string;
  readonly by: Actor;
}

/**
 * Puts the target to READY and everything that depends on it to PENDING; a branch that does not depend on it keeps its
 * result. What runs there is told to stop.
 */
export function rewind(
  draft: Draft,
  target: number,
  { feedback, counts, edge, why, by }: RewindDetail,
): void {
  const below = descendantsOf(target, (node) => draft.plan(node).dependents);
  const reset = below.filter((index) => draft.stage(index).status !== "PENDING");
  for (const index of [target, ...reset]) {
    standDown(draft, index, CancelReason.REWOUND, why);
    voidQuestions(draft, index, `rewound: ${why}`, by);
  }
  const inputs = inputsFor(draft, target);
  const { ends } = draft.state;
  draft.record({
    type: "rejected",
    target,
    inputs: inputs.ok ? inputs.inputs : undefined,
    reset,
    feedback,
    edge,
    counts,
    atMs: draft.nowMs,
  });
  if (ends.length > 0) keepOrWithdrawEnd(draft);
}
