import {
  type AgentResult,
  AuditEventType,
  CancelReason,
  type FailedCheck,
  FailedCheckSchema,
  type ReviewFeedback,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { advance, inputsFor, startWhatCan } from "./advance.ts";
import { type Draft, orchestrator } from "./draft.ts";
import { cancelAttempt } from "./end-attempt.ts";
import { voidQuestions } from "./escalate.ts";
import { failStage } from "./fail-stage.ts";
import type { GateCheckFinding } from "./gate.ts";
import type { Actor } from "./input.ts";
import { feedbackFor, noteGate } from "./review.ts";
import { resultOf, type Sent, sentOf } from "./state.ts";
import { descendantsOf } from "./topology.ts";

export interface Rejection {
  readonly index: number;
  readonly sent: Sent;
  readonly result: AgentResult | undefined;
  readonly checks: readonly GateCheckFinding[];
  /** The stage to go back to. */
  readonly target: number;
  readonly instructions: readonly string[];
  readonly reason: string;
  readonly by: Actor;
}

/** A review sends the work back (A §4.6), as long as the pipeline has rejections left (I6). */
export function reject(draft: Draft, rejection: Rejection): void {
  const { index, sent, result, checks, target, instructions, reason, by } = rejection;
  const { rejectionsUsed, plan } = draft.state;
  const targetId = draft.plan(target).id;
  if (rejectionsUsed >= plan.limits.maxRejections) {
    noteGate(draft, index, sent, checks, AuditEventType.GATE_FAILED, { passed: false, by, reason });
    const spent = `rejected once more than the ${plan.limits.maxRejections} times that are allowed: ${reason}`;
    return failStage(draft, index, { code: "REJECTIONS_EXHAUSTED", reason: spent, result });
  }
  noteGate(draft, index, sent, checks, AuditEventType.GATE_REJECTED, {
    passed: false,
    by,
    reason,
    target: targetId,
  });
  const targetSent = sentOf(draft.stage(target)) ?? sent;
  const tried = resultOf(draft.stage(target)) ?? result;
  const failed = [reviewCheck(reason, result)];
  const feedback = feedbackFor(draft, index, targetSent, tried, failed, [reason, ...instructions]);
  rewind(draft, target, { feedback, counts: true, edge: undefined, why: reason, by });
  startWhatCan(draft);
}

/** What the review saw, for the attempt that has to do better (A §4.6). */
function reviewCheck(reason: string, result: AgentResult | undefined): FailedCheck {
  const payload = result?.evidence?.evidencePayload;
  const items = payload?.case === "items" ? payload.value.items : [];
  const lines = [
    result?.status?.summary ?? "",
    ...items.map(({ command, output }) => `${command}: ${output}`),
  ];
  const evidence = lines.filter((line) => line !== "").join("\n");
  return create(FailedCheckSchema, {
    checkName: "review",
    reason,
    evidence: evidence.length <= 65_536 ? evidence : "",
  });
}

/** `retry_with_instruction` (SACP §11): talks back to the stage before, or to itself when there is none. */
export function rewindToPrevious(draft: Draft, index: number, sent: Sent, instruction: string): void {
  const ran = draft.plan(index).dependsOn.filter((place) => draft.stage(place).status === "COMPLETED");
  const previous = ran.at(-1) ?? index;
  const stage = draft.stage(index);
  const result =
    stage.status === "DISPATCHED" && stage.phase.kind === "verifying" ? stage.phase.result : undefined;
  const by: Actor = { kind: "agent", id: sent.choice.instanceId };
  const reason = instruction || "the agent sends the work back and does not say why";
  reject(draft, { index, sent, result, checks: [], target: previous, instructions: [], reason, by });
}

/** An edge of a graph that goes back. Its own bound limits it, not that of rejections. */
export function rewindAlongEdge(draft: Draft, index: number, edge: number, result: AgentResult): void {
  const target = draft.plan(index).rewindEdges[edge]?.target ?? index;
  const sent = sentOf(draft.stage(target));
  const why = result.response?.message || result.status?.summary || "an edge of the graph goes back";
  const feedback = sent && feedbackFor(draft, index, sent, resultOf(draft.stage(target)), [], [why]);
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
    const stage = draft.stage(index);
    if (stage.status === "DISPATCHED" && stage.phase.kind === "sent") {
      cancelAttempt(draft, index, stage.phase.sent, CancelReason.REWOUND, why);
    }
    voidQuestions(draft, index, `rewound: ${why}`, by);
  }
  const inputs = inputsFor(draft, target);
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
}

/**
 * `completed` (SACP): the workflow ends here, and what has not begun is left out. While a required stage is unfinished
 * it cannot end, and goes on as after a success.
 */
export function endHere(draft: Draft, index: number): void {
  const { plan, stages } = draft.state;
  const canEnd = plan.stages.every(
    ({ required }, place) => !required || stages[place]?.status === "COMPLETED",
  );
  const waiting = canEnd ? plan.stages.filter((_, place) => stages[place]?.status === "PENDING") : [];
  const reason = `"${draft.plan(index).id}" has completed the workflow`;
  for (const { index: place } of waiting)
    draft.record({ type: "pruned", stage: place, reason, atMs: draft.nowMs });
  advance(draft, [index]);
}
