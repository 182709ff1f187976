import { type AgentResult, type Budget, Outcome, ResponseStatus, ToolProposalSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { OutOfBudgetOptions, Task } from "../api/task.ts";
import { shorten, type Verdict } from "./compose-result.ts";

export type Outcomes = Pick<
  Task,
  | "success"
  | "partial"
  | "failure"
  | "escalate"
  | "ask"
  | "outOfBudget"
  | "askToApprove"
  | "retryWithInstruction"
  | "completed"
>;

function budgetOf({ tokens, costMicroUsd, steps }: OutOfBudgetOptions["needed"]): Budget {
  const amounts = [tokens, costMicroUsd, steps].filter((amount) => amount !== undefined);
  const isValid = amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0);
  if (!isValid || !amounts.some((amount) => amount > 0))
    throw new RangeError("task.outOfBudget() names what is needed: whole numbers, and one above zero");
  if ((steps ?? 0) > maxSteps) throw new RangeError(`at most ${maxSteps} steps can be needed`);
  return {
    $typeName: "vasini.agent.v1.Budget",
    ...(tokens !== undefined && { maxTokens: BigInt(tokens) }),
    ...(costMicroUsd !== undefined && { maxCostMicroUsd: BigInt(costMicroUsd) }),
    ...(steps !== undefined && { maxSteps: steps }),
  };
}

/** The field has 32 bits. */
const maxSteps = 2 ** 31 - 1;

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

    // An older hub asks a person without knowing that it is about the budget.
    outOfBudget: ({ needed, reason, ...options }) => {
      const summary = reason ?? "the budget has no room for the next call of a model";
      return compose({
        confidence: "blocked",
        noEvidence: "the agent stopped before it would exceed its budget",
        ...options,
        outcome: PARTIAL,
        status: ResponseStatus.CLARIFICATION_NEEDED,
        summary,
        budgetNeeded: budgetOf(needed),
      });
    },

    // An older hub asks a person in words; without a decision, the call is proposed again.
    askToApprove: ({ callId, tool, args, reason = "" }, options) =>
      compose({
        confidence: "blocked",
        noEvidence: "the agent waits for the approval of a call",
        ...options,
        outcome: PARTIAL,
        status: ResponseStatus.CLARIFICATION_NEEDED,
        summary: `may the tool "${tool}" be called?`,
        approvalNeeded: create(ToolProposalSchema, {
          ...{ callId, tool, arguments: args, reason: shorten(reason) },
        }),
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
