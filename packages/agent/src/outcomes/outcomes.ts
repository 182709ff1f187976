import { type AgentResult, Outcome, ResponseStatus } from "@baton/contract";
import type { Task } from "../task/task.ts";
import type { Verdict } from "./compose-result.ts";

export type Outcomes = Pick<
  Task,
  "success" | "partial" | "failure" | "escalate" | "ask" | "retryWithInstruction" | "completed"
>;

/** Every way to end a task (A §2.10, SACP §2.2 and §11), and where the hub goes from it. */
export function outcomesFor(compose: (verdict: Verdict) => AgentResult): Outcomes {
  const { SUCCESS, PARTIAL, RETRYABLE_FAILURE, NON_RETRYABLE_FAILURE, POLICY_BLOCKED } = Outcome;
  return {
    success: (summary, options) =>
      compose({ ...options, outcome: SUCCESS, status: ResponseStatus.SUCCESS, summary }),

    completed: (summary, options) =>
      compose({ ...options, outcome: SUCCESS, status: ResponseStatus.COMPLETED, summary }),

    partial: (summary, blockers, options) =>
      compose({
        confidence: "uncertain",
        ...options,
        outcome: PARTIAL,
        status: ResponseStatus.SUCCESS,
        summary,
        blockers,
      }),

    failure: (reason, { retryable = false, code, ...options } = {}) =>
      compose({
        ...options,
        outcome: retryable ? RETRYABLE_FAILURE : NON_RETRYABLE_FAILURE,
        status: ResponseStatus.FAILURE,
        summary: reason,
        failureCode: code ?? "TASK_FAILED",
        failureReason: reason,
      }),

    escalate: (reason, { code, ...options } = {}) =>
      compose({
        confidence: "blocked",
        ...options,
        outcome: POLICY_BLOCKED,
        status: ResponseStatus.FAILURE,
        summary: reason,
        failureCode: code ?? "NEEDS_PERSON",
        failureReason: reason,
      }),

    // A question is no result to review, and no failure either: the hub follows the response (SACP §2.2).
    ask: (question, options) =>
      compose({
        confidence: "blocked",
        noEvidence: "the agent asks before it goes on",
        ...options,
        outcome: PARTIAL,
        status: ResponseStatus.CLARIFICATION_NEEDED,
        summary: question,
      }),

    retryWithInstruction: (instruction, options) =>
      compose({
        noEvidence: "the work goes back to the agent before",
        ...options,
        outcome: PARTIAL,
        status: ResponseStatus.RETRY_WITH_INSTRUCTION,
        summary: instruction,
      }),
  };
}
