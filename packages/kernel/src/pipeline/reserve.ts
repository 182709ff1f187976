import { reservationFor, type SpendLimit } from "./budget.ts";
import type { Draft } from "./draft.ts";

/**
 * What an attempt of this stage may spend: it shares what is left with the stages that are ready beside it, and with its
 * own further attempts. A lost attempt keeps what it was given, so whoever got everything could not be tried again.
 */
export function reserve(draft: Draft, index: number): SpendLimit | undefined {
  const { ledger, plan, tally } = draft.state;
  const stages = tally.READY + (draft.stage(index).status === "READY" ? 0 : 1);
  const { attempt, roundStart } = draft.stage(index);
  const attempts = Math.max(1, draft.plan(index).retry.maxAttempts - (attempt - roundStart));
  const sharers = stages * attempts;
  return reservationFor(ledger, plan.limits.budget, draft.plan(index).budget, sharers);
}
