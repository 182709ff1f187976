import { type AgentResult, AuditEventType } from "@baton/contract";
import { feedbackFor, reviewCheck } from "../attempt/feedback.ts";
import type { Draft } from "../decision/draft.ts";
import type { Actor } from "../decision/input.ts";
import { startReady } from "../stage/advance.ts";
import { failStage } from "../stage/fail-stage.ts";
import { sendBack } from "../stage/send-back.ts";
import { resultOf, sentOf } from "../state/stage-state.ts";
import { findBackEdge } from "./back-edge.ts";
import { type CheckedAttempt, noteGate } from "./checked-attempt.ts";

export interface Rejection {
  /** The stage to go back to. */
  readonly target: number;
  readonly instructions: readonly string[];
  readonly reason: string;
  readonly by: Actor;
}

/** Sends the work back (A §4.6), within the rejections of the pipeline (I6). */
export function reject(draft: Draft, checked: CheckedAttempt, rejection: Rejection): void {
  const { index, result } = checked;
  const { target, instructions, reason, by } = rejection;
  const { rejectionsUsed, plan } = draft.state;
  if (rejectionsUsed >= plan.limits.maxRejections) {
    noteGate(draft, checked, AuditEventType.GATE_FAILED, { passed: false, by, reason });
    const spent = `rejected once more than the ${plan.limits.maxRejections} times that are allowed: ${reason}`;
    return failStage(draft, index, { code: "REJECTIONS_EXHAUSTED", reason: spent, result });
  }
  const goesTo = draft.plan(target).id;
  noteGate(draft, checked, AuditEventType.GATE_REJECTED, { passed: false, by, reason, target: goesTo });
  const feedback = feedbackFor({
    rejectedBy: draft.plan(index).id,
    sent: sentOf(draft.stage(target)) ?? checked.sent,
    result: resultOf(draft.stage(target)) ?? result,
    failedChecks: [reviewCheck(reason, result)],
    instructions: [reason, ...instructions],
  });
  sendBack(draft, target, { feedback, counts: true, edge: undefined, why: reason, by });
  startReady(draft);
}

/**
 * `retry_with_instruction` (SACP §11): the stage's own back edges decide where the work goes and how often. Without one whose
 * condition holds, it goes to the previous stage and counts as a rejection. When the bound is reached, the stage fails.
 */
export function sendBackOnRequest(draft: Draft, checked: CheckedAttempt, instruction: string): void {
  const { index, sent, result } = checked;
  const by: Actor = { kind: "agent", id: sent.choice.instanceId };
  const reason = instruction || "the agent sends the work back and does not say why";
  const back = findBackEdge(draft, index, result, reason);
  switch (back.kind) {
    case "taken": {
      const target = draft.plan(index).rewindEdges[back.edge]?.target ?? index;
      const goesTo = draft.plan(target).id;
      noteGate(draft, checked, AuditEventType.GATE_REJECTED, { passed: false, by, reason, target: goesTo });
      return takeBackEdge(draft, index, back.edge, reason, by);
    }
    case "blocked": {
      const spent = `it asks for another try, and ${back.why}: ${reason}`;
      noteGate(draft, checked, AuditEventType.GATE_FAILED, { passed: false, by, reason: spent });
      return failStage(draft, index, { code: "BACK_EDGES_EXHAUSTED", reason: spent, result });
    }
    case "none":
      return rejectToPrevious(draft, checked, reason, by);
  }
}

function rejectToPrevious(draft: Draft, checked: CheckedAttempt, reason: string, by: Actor): void {
  const { index } = checked;
  const ran = draft.plan(index).dependsOn.filter((position) => draft.stage(position).status === "COMPLETED");
  reject(draft, checked, { target: ran.at(-1) ?? index, instructions: [], reason, by });
}

/** Takes a back edge of a graph. Its own bound limits it, not the limit of rejections. */
export function takeBackEdge(draft: Draft, index: number, edge: number, why: string, by: Actor): void {
  const target = draft.plan(index).rewindEdges[edge]?.target ?? index;
  const sent = sentOf(draft.stage(target));
  const rejectedBy = draft.plan(index).id;
  const result = resultOf(draft.stage(target));
  const feedback = sent && feedbackFor({ rejectedBy, sent, result, instructions: [why] });
  sendBack(draft, target, { feedback, counts: false, edge: { stage: index, edge }, why, by });
  startReady(draft);
}

/** The instruction of an answer that a back edge returns. */
export function instructionOf({ response, status }: AgentResult): string {
  return response?.message || status?.summary || "an edge of the graph goes back";
}
