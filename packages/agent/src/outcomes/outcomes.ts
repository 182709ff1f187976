import { type AgentResult, Outcome, ResponseStatus } from "@baton/contract";
import type { Task } from "../api/task.ts";
import type { Verdict } from "./compose-result.ts";

export type Outcomes = Pick<
  Task,
  "success" | "partial" | "failure" | "escalate" | "ask" | "retryWithInstruction" | "completed"
>;

/** The ways to end a task (A §2.10, SACP §2.2 and §11). */
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

    // A question is neither a result to review nor a failure: the hub follows the response status (SACP §2.2).
    ask: (question, options) =>
      compose({
        confidence: "blocked",
        noEvidence: "the agent asks before it continues",
        ...options,
        outcome: PARTIAL,
        status: ResponseStatus.CLARIFICATION_NEEDED,
        summary: question,
      }),

    retryWithInstruction: (instruction, options) =>
      compose({
        noEvidence: "the work goes back to the previous agent",
        ...options,
        outcome: PARTIAL,
        status: ResponseStatus.RETRY_WITH_INSTRUCTION,
        summary: instruction,
      }),
  };
}
