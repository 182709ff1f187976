import { Outcome } from "@baton/contract";
import type { Draft } from "../decision/draft.ts";
import type { Failure } from "../state/stage-state.ts";

/**
 * Whether the next attempt continues with the steps of one that failed so (PIP-11): it was lost, failed retryably or waits for
 * a person. The steps of a refused result led to that result, and those of a forbidden one to a violation.
 */
export function continuesSteps({ code, result }: Failure): boolean {
  const outcome = result?.status?.outcome;
  if (result) return outcome === Outcome.RETRYABLE_FAILURE || outcome === Outcome.POLICY_BLOCKED;
  return code !== "INVALID_RESULT" && code !== "POLICY_VIOLATED";
}

export function hasSteps(draft: Draft, index: number): boolean {
  return draft.state.steps?.has(index) ?? false;
}
