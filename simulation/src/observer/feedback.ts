import type { ReviewFeedback } from "@baton/contract";
import { invariant } from "../violation.ts";
import type { Attempt, Rejection } from "./attempt.ts";
import type { Verdict } from "./verdicts.ts";

/** What the feedback of an envelope must at least refer to. */
interface Owed {
  readonly rejectedAttempt: number;
  readonly because: string;
}

/**
 * An attempt after a failed one carries its findings; an attempt that failed for another reason passes on the feedback it
 * received (A §4.6). Needs the attempt's own envelope.
 */
export function checkFeedback(attempt: Attempt): void {
  const { cause, envelope, dispatchId } = attempt;
  if (cause?.kind !== "retry" || !envelope) return;
  const owed = owedAfter(cause.previous);
  if (!owed) return;
  const { reviewFeedback } = envelope;
  invariant(
    reviewFeedback !== undefined && reviewFeedback.rejectedAttempt >= owed.rejectedAttempt,
    "no feedback is lost on a retry",
    () =>
      `${dispatchId} carries ${describe(reviewFeedback)}, although ${owed.because} of attempt ${owed.rejectedAttempt}`,
  );
  checkPriorContext(attempt, reviewFeedback);
}

function owedAfter(attempt: Attempt): Owed | undefined {
  const { number, failedTests, envelope, cause } = attempt;
  if (failedTests) return { rejectedAttempt: number, because: "the tests failed on the result" };
  const carried = envelope?.reviewFeedback;
  if (carried)
    return { rejectedAttempt: carried.rejectedAttempt, because: "an earlier attempt carried feedback" };
  return cause?.kind === "retry" && !envelope ? owedAfter(cause.previous) : undefined;
}

/** The attempt after a rejection carries the words of the review and what was tried. */
export function checkReviewed({ attempt, next }: Rejection, { words, dispatchId }: Verdict): void {
  const envelope = next?.envelope;
  if (!attempt || !envelope) return;
  const feedback = envelope.reviewFeedback;
  invariant(
    feedback !== undefined &&
      feedback.rejectedAttempt === attempt.number &&
      words.every((word) => feedback.instructions.includes(word)) &&
      isFromReview(feedback),
    "I4: an attempt after a rejection carries the review",
    () => `${next.dispatchId} carries ${describe(feedback)} after the review of ${dispatchId}`,
  );
  checkPriorContext(next, feedback);
}

/** Only a review adds its own check to the feedback. */
export function isFromReview({ failedChecks }: ReviewFeedback): boolean {
  return failedChecks.some(({ checkName }) => checkName === "review");
}

/** Agents put their dispatch id into each decision, so that prior context can be attributed to its attempt. */
function checkPriorContext({ dispatchId, stageId }: Attempt, feedback: ReviewFeedback): void {
  const { rejectedAttempt, priorContext, failedChecks } = feedback;
  const ids = priorContext?.decisionsMade.map(({ decisionId }) => decisionId) ?? [];
  invariant(
    // A person may reject an attempt without an answer: then no check has failed, and there is no prior context.
    (ids.length > 0 || failedChecks.length === 0) &&
      ids.every((id) => id.endsWith(`/${stageId}/${rejectedAttempt}`)),
    "feedback carries the decisions of the rejected attempt",
    () => `${dispatchId} carries "${ids.join(", ")}" as of attempt ${rejectedAttempt}`,
  );
}

function describe(feedback: ReviewFeedback | undefined): string {
  if (!feedback) return "no feedback";
  const checks = feedback.failedChecks.map(({ checkName }) => checkName).join(", ");
  return `feedback about attempt ${feedback.rejectedAttempt} (${checks || "no check"}; ${feedback.instructions.join("; ")})`;
}
