import { AuditEventType, CancelReason, EscalationKind, FailureStrategy } from "@baton/contract";
import { advance } from "./advance.ts";
import { type Draft, orchestrator } from "./draft.ts";
import { standDown } from "./end-attempt.ts";
import { escalate, resolve } from "./escalate.ts";
import { type Failure, type Sent, sentOf } from "./state.ts";
import { deadlineTimer } from "./timer.ts";

/** A stage has failed for good: the strategy of the pipeline decides (A §4.2, §4.3 step 5). */
export function failStage(draft: Draft, index: number, failure: Failure, counts = false): void {
  const plan = draft.plan(index);
  const { failureStrategy } = draft.state.plan.limits;
  const handled = plan.errorStage !== undefined;
  if (!plan.required && (handled || failureStrategy === FailureStrategy.SKIP_FAILED)) {
    draft.record({ type: "skipped", stage: index, failure, atMs: draft.nowMs });
    return advance(draft, [index]);
  }
  const advice = counts ? adviceAbout(sentOf(draft.stage(index))) : tryAgain;
  draft.record({ type: "failed", stage: index, failure, atMs: draft.nowMs });
  stopFor(draft, index, `stage "${plan.id}" failed: ${failure.reason}`, advice);
}

const tryAgain = "fix the cause and resume, which tries the stage again";

/** Who is wrong too often in a row is shut out (DIS-14), and that is decided after this: to resume may not be enough. */
function adviceAbout(sent: Sent | undefined): string {
  if (!sent) return tryAgain;
  const name = `${sent.choice.packId}/${sent.choice.instanceId}`;
  return `${tryAgain}; if ${name} was shut out for it, let it in first: baton agent restore ${name} --reason "..."`;
}

/** Nothing more can be done without a person, or at all. */
export function stopFor(draft: Draft, index: number, reason: string, recommended = tryAgain): void {
  const { life, plan } = draft.state;
  const failsFast = plan.limits.failureStrategy === FailureStrategy.FAIL_FAST;
  if (failsFast && life.status === "RUNNING") return failPipeline(draft, reason);
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

/** Why a run is paused that missed its deadline. */
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

/** FAIL_FAST. Of a paused pipeline a person decides: resume tries again. */
function failPipeline(draft: Draft, reason: string): void {
  cancelAll(draft, CancelReason.ABORTED, reason);
  for (const id of draft.state.escalations.keys())
    resolve(draft, id, "the pipeline has failed", orchestrator);
  draft.record({ type: "pipeline-failed", reason, atMs: draft.nowMs });
  draft.note(AuditEventType.PIPELINE_FAILED, "failed", { rationale: reason });
}

/** The pipeline ends: what still runs is told to stop, and nothing rings any more. */
export function cancelAll(draft: Draft, reason: CancelReason, explanation: string): void {
  for (const index of draft.state.stages.keys()) standDown(draft, index, reason, explanation);
  clearDeadline(draft);
}

/** A pipeline that has ended has no deadline. One that has passed has rung. */
export function clearDeadline(draft: Draft): void {
  if (draft.state.deadlineAtMs !== undefined) draft.clearTimer(deadlineTimer);
}
