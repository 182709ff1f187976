import type { PipelineState } from "../kernel.ts";
import { demand } from "../violation.ts";
import { type Attempt, followsClarification, type Rejection, sentBack } from "./attempt.ts";
import { checkReviewed, isFromReview } from "./feedback.ts";
import type { Story } from "./story.ts";
import type { Verdicts } from "./verdicts.ts";

export interface Limits {
  readonly maxTotalRetries: number;
  readonly maxRejections: number;
}

/** What is certain, and what it may be at the most while some evidence is missing. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/** Rejections and retries as agents, reviewers and watchers saw them, beside the limits and the hub's own counters. */
export function checkCounts(story: Story, verdicts: Verdicts, limits: Limits, state: PipelineState): void {
  const rejections = countRejections(story, verdicts);
  const retries = countRetries(story);
  demand(
    rejections.least <= limits.maxRejections,
    "I6: no more rejections are seen than max_rejections",
    () => `${rejections.least} of ${limits.maxRejections}`,
  );
  demand(
    retries.least <= limits.maxTotalRetries,
    "I5: no more retries are seen than max_total_retries",
    () => `${retries.least} of ${limits.maxTotalRetries}`,
  );
  demand(
    within(state.rejectionsUsed, rejections),
    "the hub counts the rejections that were seen",
    () => `${state.id} counts ${state.rejectionsUsed}, and ${describe(rejections)} were seen`,
  );
  demand(
    within(state.retriesUsed, retries),
    "the hub counts the retries that were seen",
    () => `${state.id} counts ${state.retriesUsed}, and ${describe(retries)} were seen`,
  );
  for (const { attempt, status } of story.endings)
    demand(
      verdicts.takenAbout(attempt.dispatchId) === undefined || state.rejectionsUsed >= limits.maxRejections,
      "a rejection ends a stage only when none is left",
      () => `${attempt.dispatchId} is ${status} after ${state.rejectionsUsed} of ${limits.maxRejections}`,
    );
}

function countRejections({ rejections }: Story, verdicts: Verdicts): Range {
  let least = 0;
  let most = 0;
  for (const rejection of rejections) {
    const verdict = verdicts.behind(rejection);
    if (verdict) checkReviewed(rejection, verdict);
    const isCounted = verdict !== undefined || isTold(rejection);
    if (isCounted) least++;
    if (isCounted || mayCount(rejection, verdicts)) most++;
  }
  return { least, most };
}

/** The next attempt of the target was told of a review of the last one. */
function isTold({ attempt, next }: Rejection): boolean {
  const feedback = next?.envelope?.reviewFeedback;
  return feedback !== undefined && isFromReview(feedback) && feedback.rejectedAttempt === attempt?.number;
}

function mayCount(rejection: Rejection, verdicts: Verdicts): boolean {
  return verdicts.mayBeBehind(rejection) || [...rejection.underWay.values()].some(sentBack);
}

function countRetries({ retries }: Story): Range {
  let least = 0;
  let most = 0;
  for (const retry of retries) {
    const clarified = followsClarification(retry);
    if (clarified === false) least++;
    if (clarified !== true) most++;
  }
  return { least, most };
}

/** How many attempts a round has had, this one included. An answered question is no further attempt. */
export function checkRound(story: Story, attempt: Attempt, maxAttempts: number): void {
  let made = 1;
  for (let one = attempt; one.cause?.kind === "retry"; one = one.cause.previous) {
    const { previous: after } = one.cause;
    if (followsClarification({ after, next: one }) === false) made++;
  }
  demand(
    made <= maxAttempts,
    "no more attempts of a round are seen than max_attempts",
    () => `${attempt.dispatchId} is attempt ${made} of ${maxAttempts} in ${story.status}`,
  );
}

function within(count: number, { least, most }: Range): boolean {
  return count >= least && count <= most;
}

function describe({ least, most }: Range): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}
