import { type AgentResult, EscalationKind, Outcome, ResponseStatus } from "@baton/contract";
import { brief } from "../../brief.ts";
import { reportEnded, reportOverturned } from "../attempt/end-attempt.ts";
import type { Draft } from "../decision/draft.ts";
import { escalate } from "../decision/escalate.ts";
import { openGate } from "../review/open-review.ts";
import { sendBackOnRequest } from "../review/reject.ts";
import { giveOrAskForBudget, lacksBudget } from "../stage/ask-for-budget.ts";
import { failStage, hasErrorEdge, pausePipeline } from "../stage/fail-stage.ts";
import { retryOrFail } from "../stage/retry.ts";
import type { Failure, Sent } from "../state/stage-state.ts";
import { askToApprove } from "./ask-to-approve.ts";

/** Step 5 of A §4.3: handles each of the five outcomes, and a structured answer by SACP §2.2. */
export function evaluate(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
  const stepsTaken = result.usage?.steps ?? 0;
  const stepsAllowed = sent.envelope.safety?.maxAutonomousSteps ?? 0;
  if (stepsAllowed > 0 && stepsTaken > stepsAllowed) {
    reportEnded(draft, index, sent, "failed", "it took more steps than allowed");
    const reason = `the agent took ${stepsTaken} autonomous steps, and ${stepsAllowed} were allowed`;
    return block(draft, index, sent, { code: "STEP_LIMIT", reason, result });
  }
  const outcome = result.status?.outcome;
  const succeeded = outcome === Outcome.SUCCESS || outcome === Outcome.PARTIAL;
  const endedAs = succeeded || outcome === Outcome.POLICY_BLOCKED ? "succeeded" : "failed";
  const isFinal = outcome === Outcome.NON_RETRYABLE_FAILURE;
  const handled = isFinal && hasErrorEdge(draft.plan(index)) ? true : undefined;
  reportEnded(draft, index, sent, endedAs, succeeded ? "" : failureOf(result, "").reason, handled);
  switch (outcome) {
    case Outcome.SUCCESS:
    case Outcome.PARTIAL:
      return followResponse(draft, index, sent, result);
    case Outcome.RETRYABLE_FAILURE:
      return retryOrFail(draft, index, { failure: failureOf(result, "RETRYABLE_FAILURE") });
    case Outcome.POLICY_BLOCKED: {
      const failure = failureOf(result, "POLICY_BLOCKED");
      reportOverturned(draft, sent, failure.reason);
      return block(draft, index, sent, failure);
    }
    default:
      return failStage(draft, index, failureOf(result, "NON_RETRYABLE_FAILURE"));
  }
}

/** Handles a structured answer before any review: a question has nothing to review. */
function followResponse(draft: Draft, index: number, sent: Sent, result: AgentResult): void {
  const message = result.response?.message || (result.status?.summary ?? "");
  switch (result.response?.status) {
    case ResponseStatus.CLARIFICATION_NEEDED:
      if (lacksBudget(result)) return giveOrAskForBudget(draft, index, sent, result);
      if (result.approvalNeeded) return askToApprove(draft, index, sent, result.approvalNeeded);
      return ask(draft, index, sent, brief(message) || "the agent asks for more, and does not say what");
    case ResponseStatus.FAILURE: {
      const reason = brief(message) || "the agent reports a failure";
      reportOverturned(draft, sent, reason);
      return failStage(draft, index, { code: "RESPONSE_FAILURE", reason, result });
    }
    case ResponseStatus.RETRY_WITH_INSTRUCTION:
      return sendBackOnRequest(draft, { index, sent, result, checks: [] }, message);
    default:
      return openGate(draft, index, sent, result);
  }
}

/** SACP §2.2: the node pauses until the question is answered. */
function ask(draft: Draft, index: number, sent: Sent, question: string): void {
  const { id } = draft.plan(index);
  const escalationId = escalate(draft, {
    kind: EscalationKind.CLARIFICATION,
    stage: index,
    sent,
    snapshot: {
      problem: question,
      impact: `stage "${id}" waits for the answer`,
      options: ["answer", "abort"],
      recommended: "answer",
      blocking: true,
    },
  });
  draft.record({ type: "asked", stage: index, question, escalationId, atMs: draft.nowMs });
}

/** Pauses the pipeline for a person. Resuming tries the stage again. */
function block(draft: Draft, index: number, sent: Sent, failure: Failure): void {
  draft.record({ type: "failed", stage: index, failure, atMs: draft.nowMs });
  escalate(draft, {
    kind: EscalationKind.POLICY,
    stage: index,
    sent,
    snapshot: {
      problem: failure.reason,
      impact: "the run waits",
      options: ["resume", "abort"],
      recommended:
        "change what forbids it where the agent works, then resume, which tries the stage again; or abort",
      blocking: true,
    },
  });
  pausePipeline(draft, failure.reason);
}

function failureOf(result: AgentResult, code: string): Failure {
  const { failureCode = "", failureReason = "", summary = "" } = result.status ?? {};
  return {
    code: brief(failureCode) || code,
    reason: brief(failureReason || summary) || "the agent gives no reason",
    result,
  };
}
