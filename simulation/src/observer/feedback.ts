import type { ReviewFeedback } from "@baton/contract";
import { demand } from "../violation.ts";
import type { Attempt, Rejection } from "./attempt.ts";
import type { Verdict } from "./verdicts.ts";

/** What the feedback in an envelope has to be about at least. */
interface Owed {
  readonly rejectedAttempt: number;
  readonly because: string;
}

/**
 * An attempt that follows a failed one carries what was wrong with it; an attempt that failed for another reason hands on
 * what it was given (A §4.6). The attempt's own envelope is known here.
 */
export function checkFeedback(attempt: Attempt): void {
  const { cause, envelope, dispatchId } = attempt;
  if (cause?.kind !== "retry" || !envelope) return;
  const owed = owedAfter(cause.previous);
  if (!owed) return;
  const { reviewFeedback } = envelope;
  demand(
    reviewFeedback !== undefined && reviewFeedback.rejectedAttempt >= owed.rejectedAttempt,
    "no feedback is lost on a retry",
    () =>
      `${dispatchId} carries ${describe(reviewFeedback)}, and ${owed.because} of attempt ${owed.rejectedAttempt}`,
  );
  checkPriorContext(attempt, reviewFeedback);
}

function owedAfter(attempt: Attempt): Owed | undefined {
  const { number, failedTests, envelope, cause } = attempt;
  if (failedTests) return { rejectedAttempt: number, because: "the tests failed on the result" };
  const carried = envelope?.reviewFeedback;
  if (carried)
    return { rejectedAttempt: carried.rejectedAttempt, because: "the attempt before carried feedback" };
  return cause?.kind === "retry" && !envelope ? owedAfter(cause.previous) : undefined;
}

/** A review that sent the work back: the attempt that follows has its words, and what was tried. */
export function checkReviewed({ attempt, next }: Rejection, { words, dispatchId }: Verdict): void {
  const envelope = next?.envelope;
  if (!attempt || !envelope) return;
  const feedback = envelope.reviewFeedback;
  demand(
    feedback !== undefined &&
      feedback.rejectedAttempt === attempt.number &&
      words.every((word) => feedback.instructions.includes(word)) &&
      isFromReview(feedback),
    "I4: an attempt after a rejection carries the review",
    () => `${next.dispatchId} carries ${describe(feedback)} after the review of ${dispatchId}`,
  );
  checkPriorContext(next, feedback);
}

/** A review leaves its own check in the feedback; other ways back do not. */
export function isFromReview({ failedChecks }: ReviewFeedback): boolean {
  return failedChecks.some(({ checkName }) => checkName === "review");
}

/** Agents name themselves in what they decide: what was tried is what the rejected attempt said. */
function checkPriorContext({ dispatchId, stageId }: Attempt, feedback: ReviewFeedback): void {
  const { rejectedAttempt, priorContext, failedChecks } = feedback;
  const ids = priorContext?.decisionsMade.map(({ decisionId }) => decisionId) ?? [];
  demand(
    // A person may take back an attempt that never answered: then no check has failed, and nothing was said.
    (ids.length > 0 || failedChecks.length === 0) &&
      ids.every((id) => id.endsWith(`/${stageId}/${rejectedAttempt}`)),
    "feedback carries what the rejected attempt said",
    () => `${dispatchId} is told "${ids.join(", ")}" of attempt ${rejectedAttempt}`,
  );
}

function describe(feedback: ReviewFeedback | undefined): string {
  if (!feedback) return "no feedback";
  const checks = feedback.failedChecks.map(({ checkName }) => checkName).join(", ");
  return `feedback about attempt ${feedback.rejectedAttempt} (${checks || "no check"}; ${feedback.instructions.join("; ")})`;
}
