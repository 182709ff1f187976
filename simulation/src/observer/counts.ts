import type { PipelineState } from "../kernel.ts";
import { invariant } from "../violation.ts";
import { type Attempt, followsClarification, type Rejection, sentBack } from "./attempt.ts";
import { checkReviewed, isFromReview } from "./feedback.ts";
import type { Timeline } from "./timeline.ts";
import type { Verdicts } from "./verdicts.ts";

export interface Limits {
  readonly maxTotalRetries: number;
  readonly maxRejections: number;
}

/** A lower and an upper bound while some evidence is missing. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/** Compares the rejections and retries that were seen outside with the limits and with the hub's counters. */
export function checkCounts(
  timeline: Timeline,
  verdicts: Verdicts,
  limits: Limits,
  state: PipelineState,
): void {
  const rejections = countRejections(timeline, verdicts);
  const retries = countRetries(timeline);
  invariant(
    rejections.least <= limits.maxRejections,
    "I6: rejections seen outside stay within max_rejections",
    () => `${rejections.least} of ${limits.maxRejections}`,
  );
  invariant(
    retries.least <= limits.maxTotalRetries,
    "I5: retries seen outside stay within max_total_retries",
    () => `${retries.least} of ${limits.maxTotalRetries}`,
  );
  invariant(
    within(state.rejectionsUsed, rejections),
    "the hub counts the rejections that were seen",
    () => `${state.id} counts ${state.rejectionsUsed}, and ${describe(rejections)} were seen`,
  );
  invariant(
    within(state.retriesUsed, retries),
    "the hub counts the retries that were seen",
    () => `${state.id} counts ${state.retriesUsed}, and ${describe(retries)} were seen`,
  );
  for (const { attempt, status } of timeline.endings)
    invariant(
      verdicts.takenAbout(attempt.dispatchId) === undefined || state.rejectionsUsed >= limits.maxRejections,
      "a rejection ends a stage only after max_rejections",
      () => `${attempt.dispatchId} is ${status} after ${state.rejectionsUsed} of ${limits.maxRejections}`,
    );
}

function countRejections({ rejections }: Timeline, verdicts: Verdicts): Range {
  let least = 0;
  let most = 0;
  for (const rejection of rejections) {
    const verdict = verdicts.behind(rejection);
    if (verdict) checkReviewed(rejection, verdict);
    const isCounted = verdict !== undefined || carriesReview(rejection);
    if (isCounted) least++;
    if (isCounted || mayCount(rejection, verdicts)) most++;
  }
  return { least, most };
}

/** The next attempt of the target carried a review of the last one. */
function carriesReview({ attempt, next }: Rejection): boolean {
  const feedback = next?.envelope?.reviewFeedback;
  return feedback !== undefined && isFromReview(feedback) && feedback.rejectedAttempt === attempt?.number;
}

function mayCount(rejection: Rejection, verdicts: Verdicts): boolean {
  return verdicts.mayBeBehind(rejection) || [...rejection.underWay.values()].some(sentBack);
}

function countRetries({ retries }: Timeline): Range {
  let least = 0;
  let most = 0;
  for (const retry of retries) {
    const clarified = followsClarification(retry);
    if (clarified === false) least++;
    if (clarified !== true) most++;
  }
  return { least, most };
}

/** The attempts of a round up to this one. An answered question does not count. */
export function checkRound(timeline: Timeline, attempt: Attempt, maxAttempts: number): void {
  let made = 1;
  for (let one = attempt; one.cause?.kind === "retry"; one = one.cause.previous) {
    const { previous: after } = one.cause;
    if (followsClarification({ after, next: one }) === false) made++;
  }
  invariant(
    made <= maxAttempts,
    "attempts seen in a round stay within max_attempts",
    () => `${attempt.dispatchId} is attempt ${made} of ${maxAttempts} in ${timeline.status}`,
  );
}

function within(count: number, { least, most }: Range): boolean {
  return count >= least && count <= most;
}

function describe({ least, most }: Range): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}
