import { AuditEventType, CancelReason, EscalationKind, FailureStrategy } from "@baton/contract";
import { stopStage } from "../attempt/end-attempt.ts";
import { type Draft, orchestrator } from "../decision/draft.ts";
import { escalate, resolve } from "../decision/escalate.ts";
import type { StagePlan } from "../plan/plan-stage.ts";
import { type Failure, type Sent, sentOf } from "../state/stage-state.ts";
import { deadlineTimer } from "../state/timers.ts";
import { advance } from "./advance.ts";

/** A stage has no attempts left: the failure strategy decides (A §4.2, §4.3 step 5). */
export function failStage(draft: Draft, index: number, failure: Failure, counts = false): void {
  const plan = draft.plan(index);
  const { failureStrategy } = draft.state.plan.limits;
  if (hasErrorEdge(plan) || (!plan.required && failureStrategy === FailureStrategy.SKIP_FAILED)) {
    draft.record({ type: "skipped", stage: index, failure, atMs: draft.nowMs });
    return advance(draft, [index]);
  }
  const advice = counts ? adviceAbout(sentOf(draft.stage(index))) : adviceToResume;
  draft.record({ type: "failed", stage: index, failure, atMs: draft.nowMs });
  failOrPause(draft, index, `stage "${plan.id}" failed: ${failure.reason}`, advice);
}

/** Whether another stage takes over when this one fails. */
export function hasErrorEdge({ required, errorStage }: StagePlan): boolean {
  return !required && errorStage !== undefined;
}

/** A further attempt is out of the question: the stage fails, and the run with it unless another stage takes over. */
export function failStageForGood(draft: Draft, index: number, failure: Failure): void {
  const plan = draft.plan(index);
  if (hasErrorEdge(plan)) return failStage(draft, index, failure);
  draft.record({ type: "failed", stage: index, failure, atMs: draft.nowMs });
  const reason = `stage "${plan.id}" failed: ${failure.reason}`;
  if (draft.state.life.status === "RUNNING") return failPipeline(draft, reason);
  failOrPause(draft, index, reason, "abort: to resume tries the stage again");
}

const adviceToResume = "fix the cause and resume, which tries the stage again";

/** The agent may be quarantined after this decision (DIS-14); then resuming alone does not help. */
function adviceAbout(sent: Sent | undefined): string {
  if (!sent) return adviceToResume;
  const name = `${sent.choice.packId}/${sent.choice.instanceId}`;
  return `${adviceToResume}; if ${name} was shut out for it, let it in first: baton agent restore ${name} --reason "..."`;
}

/** Fails the run or pauses it for a person, by its failure strategy. */
export function failOrPause(draft: Draft, index: number, reason: string, recommended = adviceToResume): void {
  if (failsFast(draft)) return failPipeline(draft, reason);
  escalate(draft, {
    kind: EscalationKind.FAILURE,
    stage: index,
    snapshot: {
      problem: reason,
      impact: "the run waits",
      options: ["resume", "abort"],
      recommended,
      blocking: true,
    },
  });
  pausePipeline(draft, reason);
}

/** Whether a failure ends the run now, without a question. A paused run is left to a person. */
export function failsFast({ state: { life, plan } }: Draft): boolean {
  return plan.limits.failureStrategy === FailureStrategy.FAIL_FAST && life.status === "RUNNING";
}

/** Reason of a pause for a missed deadline. */
export const deadlinePassed = "the deadline has passed";

export function pausePipeline(
  draft: Draft,
  reason: string,
  actor?: Parameters<Draft["note"]>[2],
  withTenant = false,
): void {
  if (draft.state.life.status !== "RUNNING") return;
  draft.record({ type: "paused", reason, ...(withTenant && { halted: true }), atMs: draft.nowMs });
  draft.note(AuditEventType.PIPELINE_PAUSED, "paused", { rationale: reason, ...actor });
}

/** FAIL_FAST. A paused pipeline is left to a person. */
export function failPipeline(draft: Draft, reason: string): void {
  cancelAll(draft, CancelReason.ABORTED, reason);
  for (const id of draft.state.escalations.keys()) resolve(draft, id, "the run has failed", orchestrator);
  draft.record({ type: "pipeline-failed", reason, atMs: draft.nowMs });
  draft.note(AuditEventType.PIPELINE_FAILED, "failed", { rationale: reason });
}

/** The run ends: attempts are cancelled and timers cleared. */
export function cancelAll(draft: Draft, reason: CancelReason, explanation: string): void {
  for (const index of draft.state.stages.keys()) stopStage(draft, index, reason, explanation);
  clearDeadline(draft);
}

/** Clears the deadline timer unless it has fired. */
export function clearDeadline(draft: Draft): void {
  if (draft.state.deadlineAtMs !== undefined) draft.clearTimer(deadlineTimer);
}
