import { reservationFor, type SpendLimit } from "./budget.ts";
import type { Draft } from "./draft.ts";

/** What an attempt of this stage may spend: it shares what is left with the stages that are ready beside it. */
export function reserve(draft: Draft, index: number): SpendLimit | undefined {
  const { ledger, plan, tally } = draft.state;
  const sharers = tally.READY + (draft.stage(index).status === "READY" ? 0 : 1);
  return reservationFor(ledger, plan.limits.budget, draft.plan(index).budget, sharers);
}
