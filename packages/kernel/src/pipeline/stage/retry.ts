import { AuditEventType, CancelReason, type ReviewFeedback } from "@baton/contract";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { backoffMs } from "../../dispatch/retry.ts";
import { randomFrom } from "../../random.ts";
import { cancelAttempt, reportEnded } from "../attempt/end-attempt.ts";
import type { Draft } from "../decision/draft.ts";
import type { Failure, Sent } from "../state/stage-state.ts";
import { retryTimer } from "../state/timers.ts";
import { failStage } from "./fail-stage.ts";
import { continuesSteps, hasSteps } from "./keep-steps.ts";
import { startStage } from "./start-stage.ts";

/** Why an attempt has no valid result (A §3.2, failure paths of steps 5 to 7). */
export interface LostAttempt {
  readonly failure: Failure;
  /** For the next attempt. */
  readonly feedback?: ReviewFeedback | undefined;
  /** The envelope was not delivered, so nothing was spent. */
  readonly neverArrived?: boolean;
  /** Nobody is at fault, so it does not count as a retry. */
  readonly uncounted?: true;
  /** Counts towards the agent's quarantine. */
  readonly counts?: boolean;
}

/** Retries within the budget of stage and pipeline, or lets the failure strategy decide. */
export function retryOrFail(
  draft: Draft,
  index: number,
  { failure, feedback, neverArrived, uncounted, counts }: LostAttempt,
): void {
  const { retry } = draft.plan(index);
  const { attempt, roundStart } = draft.stage(index);
  const made = attempt - roundStart + 1;
  const { retriesUsed, plan } = draft.state;
  const isSpent = made >= retry.maxAttempts || retriesUsed >= plan.limits.maxTotalRetries;
  if (isSpent && !uncounted) return failStage(draft, index, failure, counts);
  const random = randomFrom(draft.world.seed, `${draft.state.id}/${index}/${attempt}`);
  const untilMs = draft.nowMs + backoffMs(made, retry, random);
  draft.record({
    type: "retried",
    stage: index,
    wait: { kind: "backoff", untilMs },
    feedback,
    clarification: undefined,
    ...(uncounted && { uncounted }),
    ...(hasSteps(draft, index) && (feedback || !continuesSteps(failure)) && { dropsSteps: true }),
    release: neverArrived ? dispatchIdOf(draft, index, attempt) : undefined,
    reason: failure.reason,
    atMs: draft.nowMs,
  });
  draft.setTimer(retryTimer(attempt + 1, draft.plan(index).id), untilMs);
}

/** The backoff is over. */
export function retryNow(draft: Draft, index: number): void {
  draft.record({ type: "waited", stage: index, wait: { kind: "turn" }, atMs: draft.nowMs });
  startStage(draft, index);
}

/** Step 6: the attempt timed out. It is cancelled, and a late result does not count. */
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

/** The agent was lost: its lease ended during the attempt. */
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

/** The envelope never reached the agent. */
export function notDelivered(
  draft: Draft,
  index: number,
  sent: Sent,
  { reason, away }: { readonly reason: string; readonly away?: true },
): void {
  draft.note(AuditEventType.DISPATCH_TIMEOUT, "the task was not delivered", {
    stage: index,
    sent,
    rationale: reason,
    snapshot: { case: "timeout", value: { duration: durationFromMs(draft.nowMs - sent.sentAtMs) } },
  });
  reportEnded(draft, index, sent, away ? "cancelled" : "lost", reason);
  const failure = { code: "NOT_DELIVERED", reason, result: undefined };
  retryOrFail(draft, index, { failure, neverArrived: true, ...(away && { uncounted: away }) });
}

function dispatchIdOf(draft: Draft, index: number, attempt: number): string {
  return `${draft.state.id}/${draft.plan(index).id}/${attempt}`;
}
