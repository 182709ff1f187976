import { amountKinds, isLimited } from "../../spend-limits.ts";
import { auditRaise } from "./audit.ts";
import { type FleetDecision, refuse } from "./decision.ts";
import type { FullFleetWorld, InputOf } from "./input.ts";
import { problem } from "./problem.ts";

/** An operator lets the tenant spend more today, and states a name and a reason (SAC-12). */
export function decideRaise(
  { amounts, limits, by, reason }: InputOf<"raise-spend">,
  { nowMs: atMs }: FullFleetWorld,
): FleetDecision {
  const no = (at: string, message: string) => refuse(problem("BATON-FLEET-012", at, message));
  const given = amountKinds.filter((kind) => amounts[kind] !== undefined);
  if (by === "" || reason === "") return no("reason", "raising a limit requires a name and a reason");
  if (given.length === 0) return no("", "no amount is given");
  if (!isLimited(limits)) return no("", "the spending of this tenant is not limited");
  for (const kind of given) {
    const amount = amounts[kind] ?? 0;
    if (!Number.isSafeInteger(amount) || amount < 1) return no(fields[kind], "the amount must be above zero");
    if (amount > most) return no(fields[kind], `the amount must be at most ${most}`);
    if (limits.daily[kind] === undefined && limits.monthly[kind] === undefined)
      return no(fields[kind], `the tenant has no limit of ${words[kind]}`);
  }
  return {
    records: [{ kind: "spend-raised", amounts, by, reason, atMs }],
    audit: [auditRaise(amounts, by, reason)],
  };
}

const most = 1e15;
const fields = { tokens: "tokens", costMicroUsd: "cost_micro_usd" } as const;
const words = { tokens: "tokens", costMicroUsd: "money" } as const;
