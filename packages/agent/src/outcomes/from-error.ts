import type { AgentResult } from "@baton/contract";
import {
  ActionProhibited,
  AgentError,
  BudgetSpent,
  ScopeMissing,
  StepLimitReached,
  StepOutcomeUnknown,
  ToolNotAllowed,
} from "../agent-error.ts";
import type { Outcomes } from "./outcomes.ts";

/**
 * What the safety context forbids, and a step whose outcome is unknown, is escalated to a person; any other error is a failure.
 */
export function resultFromError(outcomes: Outcomes, error: unknown): AgentResult {
  const reason = messageOf(error);
  if (error instanceof StepOutcomeUnknown && error.critical && error.answer === undefined)
    return outcomes.ask(error.question);
  const forbidden = codeOfForbidden(error);
  if (forbidden) return outcomes.escalate(reason, { code: forbidden, noEvidence: reason });
  return outcomes.failure(reason, {
    code: codeOf(error),
    retryable: isRecord(error) && error.retryable === true,
    noEvidence: "run() threw an error",
  });
}

function codeOfForbidden(error: unknown): string | undefined {
  if (error instanceof ToolNotAllowed) return "TOOL_NOT_ALLOWED";
  if (error instanceof StepLimitReached) return "STEP_LIMIT_REACHED";
  if (error instanceof ActionProhibited) return "ACTION_PROHIBITED";
  if (error instanceof ScopeMissing) return "SCOPE_MISSING";
  if (error instanceof BudgetSpent) return "BUDGET_SPENT";
  if (error instanceof StepOutcomeUnknown) return "STEP_OUTCOME_UNKNOWN";
  return undefined;
}

function codeOf(error: unknown): string {
  if (error instanceof AgentError) return error.code === "BATON-SDK-004" ? "INVALID_ANSWER" : error.code;
  const code = isRecord(error) ? error.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_-]{0,63}$/.test(code) ? code : "AGENT_ERROR";
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === "object" ? "" : String(error);
  return (text.trim() || "the error has no message").toWellFormed();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
