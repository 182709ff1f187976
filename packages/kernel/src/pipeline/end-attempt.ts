import { AuditEventType, CancelReason, type ReviewFeedback } from "@baton/contract";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { backoffMs } from "../dispatch/retry.ts";
import { randomFrom } from "../random.ts";
import type { DispatchOutcome } from "./command.ts";
import type { Draft } from "./draft.ts";
import { failStage } from "./fail-stage.ts";
import { startStage } from "./start-stage.ts";
import { type Failure, type Sent, waitOf } from "./state.ts";
import { retryTimer, timeoutTimer } from "./timer.ts";

/** Why an attempt gave no result that counts, and what follows from it (A §3.2, failure paths of steps 5 to 7). */
export interface LostAttempt {
  readonly failure: Failure;
  /** What the next attempt is told. */
  readonly feedback?: ReviewFeedback | undefined;
  /** The envelope never reached the agent, so nothing was spent. */
  readonly neverArrived?: boolean;
  /** It counts against the agent, which may be shut out for it. */
  readonly counts?: boolean;
}

/** Retries within the budget of stage and pipeline, or lets the failure strategy decide. */
export function retryOrFail(
  draft: Draft,
  index: number,
  { failure, feedback, neverArrived, counts }: LostAttempt,
): void {
  const { retry } = draft.plan(index);
  const { attempt, roundStart } = draft.stage(index);
  const made = attempt - roundStart + 1;
  const { retriesUsed, plan } = draft.state;
  if (made >= retry.maxAttempts || retriesUsed >= plan.limits.maxTotalRetries)
    return failStage(draft, index, failure, counts);
  const random = randomFrom(draft.world.seed, `${draft.state.id}/${index}/${attempt}`);
  const untilMs = draft.nowMs + backoffMs(made, retry, random);
  draft.record({
    type: "retried",
    stage: index,
    wait: { kind: "backoff", untilMs },
    feedback,
    clarification: undefined,
    release: neverArrived ? dispatchIdOf(draft, index, attempt) : undefined,
    reason: failure.reason,
    atMs: draft.nowMs,
  });
  draft.setTimer(retryTimer(attempt + 1, draft.plan(index).id), untilMs);
}

/** How many further attempts a stage has. */
export function attemptsLeft(draft: Draft, index: number): number {
  const { attempt, roundStart } = draft.stage(index);
  const ofStage = draft.plan(index).retry.maxAttempts - (attempt - roundStart + 1);
  return Math.max(0, Math.min(ofStage, draft.state.plan.limits.maxTotalRetries - draft.state.retriesUsed));
}

/** The backoff is over. */
export function retryNow(draft: Draft, index: number): void {
  draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
  startStage(draft, index);
}

/** Step 6: out of time. The agent is told to stop, and what it still answers counts for nothing. */
export function timeOut(draft: Draft, index: number, sent: Sent): void {
  const ranMs = draft.nowMs - sent.sentAtMs;
  draft.note(AuditEventType.DISPATCH_TIMEOUT, "the attempt ran out of time", {
    stage: index,
    sent,
    rationale: `no result after ${ranMs} ms`,
    snapshot: {
      case: "timeout",
      value: {
        duration: durationFromMs(ranMs),
        deadline: timestampFromMs(sent.timeoutAtMs),
        cancelSignalSent: true,
      },
    },
  });
  cancelAttempt(draft, index, sent, CancelReason.TIMEOUT, "it ran out of time", "lost");
  retryOrFail(draft, index, {
    failure: { code: "TIMEOUT", reason: `no result after ${ranMs} ms`, result: undefined },
  });
}

/** The agent is gone: its lease ended while it worked. */
export function loseAgent(draft: Draft, index: number, sent: Sent, reason: string): void {
  draft.note(AuditEventType.DISPATCH_TIMEOUT, "the agent was lost", {
    stage: index,
    sent,
    rationale: reason,
    snapshot: {
      case: "timeout",
      value: { duration: durationFromMs(draft.nowMs - sent.sentAtMs), cancelSignalSent: true },
    },
  });
  cancelAttempt(draft, index, sent, CancelReason.TIMEOUT, reason, "lost");
  retryOrFail(draft, index, { failure: { code: "AGENT_LOST", reason, result: undefined } });
}

/** Tells the agent to stop. It may be told twice, and after it has ended. */
export function cancelAttempt(
  draft: Draft,
  index: number,
  sent: Sent,
  reason: CancelReason,
  explanation: string,
  outcome: DispatchOutcome = "cancelled",
): void {
  const { dispatchId, attempt, choice } = sent;
  draft.command({ type: "cancel", dispatchId, attempt, instanceId: choice.instanceId, reason, explanation });
  tellEnded(draft, index, sent, outcome, explanation);
  if (reason === CancelReason.TIMEOUT) return;
  draft.note(AuditEventType.DISPATCH_CANCELLED, "told the agent to stop", {
    stage: index,
    sent,
    rationale: explanation,
    snapshot: {
      case: "timeout",
      value: { duration: durationFromMs(draft.nowMs - sent.sentAtMs), cancelSignalSent: true },
    },
  });
}

/** A stage is taken out of whatever it is doing: its agent is told to stop, and what it waited for rings no more. */
export function standDown(draft: Draft, index: number, reason: CancelReason, explanation: string): void {
  const stage = draft.stage(index);
  if (stage.status === "DISPATCHED" && stage.phase.kind === "sent")
    cancelAttempt(draft, index, stage.phase.sent, reason, explanation);
  if (waitOf(stage)?.kind === "backoff") draft.clearTimer(retryTimer(stage.attempt, draft.plan(index).id));
}

/** Every attempt that was sent ends here, once: the fleet hears of it, and its time no longer runs. */
export function tellEnded(
  draft: Draft,
  index: number,
  sent: Sent,
  outcome: DispatchOutcome,
  reason = "",
): void {
  const { dispatchId, choice } = sent;
  const { packId, instanceId } = choice;
  const { taskType } = draft.plan(index);
  draft.clearTimer(timeoutTimer(dispatchId));
  draft.command({
    type: "tell-fleet",
    news: { kind: "ended", dispatchId, packId, instanceId, taskType, outcome, reason },
  });
}

function dispatchIdOf(draft: Draft, index: number, attempt: number): string {
  return `${draft.state.id}/${draft.plan(index).id}/${attempt}`;
}
