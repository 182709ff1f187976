import type { Problem } from "../problem.ts";
import { type AmountLimit, amountKinds, type SpendLimits, type TenantLimits } from "../spend-limits.ts";
import { fields, list, optional, required } from "./lists-and-fields.ts";
import { checkName, Reading } from "./reading.ts";
import { number, text, whole } from "./shape.ts";

type SpendLimitsReading =
  | { readonly ok: true; readonly limits: SpendLimits }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Beyond any bill, and exact in millionths. */
const maxUsd = 1_000_000_000;

const periodShape = fields({
  tokens: optional(whole(0, 1e15), "Input and output tokens of all models together."),
  usd: optional(
    number({ least: 0, most: maxUsd }),
    "US dollars. Calls of models without a price do not count.",
  ),
});

const nothing = { tokens: undefined, usd: undefined };
const daily = optional(periodShape, "What may be spent from midnight to midnight, in UTC.", nothing);
const monthly = optional(
  periodShape,
  "What may be spent from the first of a month to the next, in UTC.",
  nothing,
);

const tenantShape = fields({
  tenant_id: required(
    text({ most: 256 }),
    "The tenant, as keys name it; a hub without keys has the tenant `local`.",
  ),
  daily,
  monthly,
});

const limitsShape = fields({
  daily,
  monthly,
  tenants: optional(list(tenantShape), "Tenants with limits of their own, in place of those above.", []),
});

/** `config/spend-limits.yaml`. */
export const spendLimitsShape = fields(
  { spend_limits: required(limitsShape, "What each tenant may spend a day and a month.") },
  "Spend limits",
);

/** Reads the content of the file (SAC-12). */
export function readSpendLimits(content: unknown): SpendLimitsReading {
  const file = new Reading(content);
  const given = spendLimitsShape.read(file).spend_limits;
  const root = file.at("spend_limits");
  const tenants = new Map<string, TenantLimits>();
  const others = limitsOf(given, root);
  const items = root.at("tenants").items();
  for (const [index, entry] of given.tenants.entries()) {
    const at = items[index];
    if (!at) continue;
    const name = at.at("tenant_id");
    checkName(name, entry.tenant_id);
    if (tenants.has(entry.tenant_id) && entry.tenant_id !== "")
      name.reportInconsistent("is there twice", "put its limits into one entry");
    tenants.set(entry.tenant_id, limitsOf(entry, at));
  }
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  return { ok: true, limits: { others, tenants } };
}

type Given = Readonly<
  Record<"daily" | "monthly", { readonly tokens?: number | undefined; readonly usd?: number | undefined }>
>;

function limitsOf({ daily: day, monthly: month }: Given, at: Reading): TenantLimits {
  const limits = { daily: amounts(day), monthly: amounts(month) };
  for (const kind of amountKinds) {
    const [ofDay, ofMonth] = [limits.daily[kind], limits.monthly[kind]];
    if (ofDay === undefined || ofMonth === undefined || ofDay <= ofMonth) continue;
    at.at("daily")
      .at(kind === "tokens" ? "tokens" : "usd")
      .reportInconsistent(
        "is more than the limit of the month",
        "raise the monthly limit, or lower this one",
      );
  }
  return limits;
}

function amounts({ tokens, usd }: Given["daily"]): AmountLimit {
  return {
    ...(tokens !== undefined && { tokens }),
    ...(usd !== undefined && { costMicroUsd: Math.round(usd * 1_000_000) }),
  };
}
