import type { Budget, Usage } from "@baton/contract";
import { addDetails, detailBeyond, detailOf, isCredibleDetail, type SpendDetail } from "./spend-detail.ts";

/**
 * What a pipeline has spent and reserved. A dispatch reserves its budget and a result settles it, so that concurrent stages
 * cannot overspend together. The usage of durable steps counts at once, as part of the usage of the result. A lost attempt
 * keeps the rest of its reservation, because its other spending is unknown.
 */
export interface Spending {
  readonly spent: Spent;
  /** By dispatch. */
  readonly held: ReadonlyMap<string, Held>;
  readonly heldTotal: Spend;
}

/** What is left of a reservation, and the pack that has it. */
export interface Held extends Spend {
  readonly packId: string;
  /** Counted as spent before the result; absent for nothing. */
  readonly counted?: Spent;
}

/** Tokens, millionths of a US dollar, steps. */
export interface Spend {
  readonly tokens: number;
  readonly costMicroUsd: number;
  readonly steps: number;
}

/** Spent amounts also state the input tokens, and what is known of caches, reasoning, prices and models. */
export interface Spent extends Spend, SpendDetail {
  readonly inputTokens: number;
}

/** An absent limit is no limit. */
export type SpendLimit = { readonly [Kind in keyof Spend]?: number };

export const nothing: Spent = { tokens: 0, inputTokens: 0, costMicroUsd: 0, steps: 0 };
const nothingHeld: Spend = { tokens: 0, costMicroUsd: 0, steps: 0 };
export const noSpending: Spending = { spent: nothing, held: new Map(), heldTotal: nothingHeld };

export const spendKinds = ["tokens", "costMicroUsd", "steps"] as const;

export function limitOf(budget: Budget | undefined): SpendLimit {
  return {
    ...(budget?.maxTokens !== undefined && { tokens: Number(budget.maxTokens) }),
    ...(budget?.maxCostMicroUsd !== undefined && { costMicroUsd: Number(budget.maxCostMicroUsd) }),
    ...(budget?.maxSteps !== undefined && { steps: budget.maxSteps }),
  };
}

export function budgetOf({ tokens, costMicroUsd, steps }: SpendLimit): Budget {
  return {
    $typeName: "vasini.agent.v1.Budget",
    ...(tokens !== undefined && { maxTokens: BigInt(tokens) }),
    ...(costMicroUsd !== undefined && { maxCostMicroUsd: BigInt(costMicroUsd) }),
    ...(steps !== undefined && { maxSteps: steps }),
  };
}

/** The usage of an unchecked result; undefined when it is negative. */
export function credibleSpend(usage: Usage | undefined): Spent | undefined {
  if (!usage || usage.inputTokens < 0n || usage.outputTokens < 0n) return undefined;
  if (!isCredibleDetail(usage)) return undefined;
  const spent = spendOf(usage);
  return spendKinds.every((kind) => spent[kind] >= 0) ? spent : undefined;
}

export function spendOf(usage: Usage | undefined): Spent {
  if (!usage) return nothing;
  return {
    tokens: Number(usage.inputTokens + usage.outputTokens),
    inputTokens: Number(usage.inputTokens),
    costMicroUsd: Number(usage.costMicroUsd),
    steps: usage.steps,
    ...detailOf(usage),
  };
}

/**
 * The budget of one attempt: the limit of its stage, else a fair share of the rest, at least what is needed, never more
 * than the rest. Undefined when nothing, or not enough, is left of a limited kind.
 */
export function reservationFor(
  spending: Spending,
  whole: SpendLimit,
  own: SpendLimit,
  sharers: number,
  needed: SpendLimit = {},
): SpendLimit | undefined {
  const granted: { -readonly [Kind in keyof Spend]?: number } = {};
  for (const kind of spendKinds) {
    const limit = whole[kind];
    const left = limit === undefined ? undefined : limit - spending.spent[kind] - spending.heldTotal[kind];
    const least = needed[kind] ?? 0;
    // A budget that was raised for an attempt grants it at least that much, also above the limit of its stage.
    const allowed = own[kind] === undefined ? undefined : Math.max(own[kind], least);
    const share =
      left === undefined ? allowed : Math.min(Math.max(allowed ?? Math.ceil(left / sharers), least), left);
    if (share === undefined) continue;
    if (share <= 0 || share < least) return undefined;
    granted[kind] = share;
  }
  return granted;
}

export function hold(spending: Spending, dispatchId: string, reserved: SpendLimit, packId: string): Spending {
  const { tokens = 0, costMicroUsd = 0, steps = 0 } = reserved;
  const spend: Spend = { tokens, costMicroUsd, steps };
  const held = spending.held.size === 0 ? new Map<string, Held>() : new Map(spending.held);
  held.set(dispatchId, { ...spend, packId });
  return { spent: spending.spent, held, heldTotal: add(spending.heldTotal, spend, 1) };
}

/** Counts a part of the spending of an attempt before its result, out of its reservation. */
export function countEarly(spending: Spending, dispatchId: string, spent: Spent): Spending {
  const reserved = spending.held.get(dispatchId);
  if (!reserved) return spending;
  const { counted = nothing, packId, ...left } = reserved;
  const released = smallest(left, spent);
  const held = new Map(spending.held);
  held.set(dispatchId, { ...add(left, released, -1), packId, counted: addSpent(counted, spent) });
  return {
    spent: {
      // Its details are added with the result, which repeats them.
      ...spending.spent,
      ...add(spending.spent, spent, 1),
      inputTokens: spending.spent.inputTokens + spent.inputTokens,
    },
    held,
    heldTotal: add(spending.heldTotal, released, -1),
  };
}

/**
 * Replaces a reservation by the real spending. Without usage the whole reservation counts as spent, so that omitting it
 * brings no advantage. A dispatch without a reservation is settled already.
 */
export function settle(spending: Spending, dispatchId: string, spent: Spent | undefined): Spending {
  const reserved = spending.held.get(dispatchId);
  if (!reserved) return spending;
  const held = spending.held.size === 1 ? noSpending.held : without(spending.held, dispatchId);
  const more = spent && beyond(spent, reserved.counted);
  const inputTokens = spending.spent.inputTokens + (more?.inputTokens ?? 0);
  return {
    spent: {
      ...add(spending.spent, more ?? reserved, 1),
      inputTokens,
      ...addDetails(spending.spent, spent ?? reserved.counted ?? nothing),
    },
    held,
    heldTotal: add(spending.heldTotal, reserved, -1),
  };
}

export function addSpent(a: Spent, b: Spent): Spent {
  return { ...add(a, b, 1), inputTokens: a.inputTokens + b.inputTokens, ...addDetails(a, b) };
}

/** The same, with the details. */
export function remainderOf(spent: Spent, counted: Spent | undefined): Spent {
  if (!counted) return spent;
  return { ...beyond(spent, counted), ...detailBeyond(spent, counted) };
}

/** What the result adds to the part that is counted. */
function beyond(spent: Spent, counted: Spent | undefined): Spent {
  if (!counted) return spent;
  const inputTokens = Math.max(0, spent.inputTokens - counted.inputTokens);
  return { ...add(spent, smallest(spent, counted), -1), inputTokens };
}

function smallest(a: Spend, b: Spend): Spend {
  return {
    tokens: Math.min(a.tokens, b.tokens),
    costMicroUsd: Math.min(a.costMicroUsd, b.costMicroUsd),
    steps: Math.min(a.steps, b.steps),
  };
}

function without(held: Spending["held"], dispatchId: string): Spending["held"] {
  const left = new Map(held);
  left.delete(dispatchId);
  return left;
}

export function add(a: Spend, b: Spend, sign: 1 | -1): Spend {
  return {
    tokens: a.tokens + sign * b.tokens,
    costMicroUsd: a.costMicroUsd + sign * b.costMicroUsd,
    steps: a.steps + sign * b.steps,
  };
}

/** Describes what an attempt spent beyond its budget; undefined when it did not. */
export function describeOverspend(spent: Spend, granted: SpendLimit): string | undefined {
  const over = spendKinds.filter((kind) => spent[kind] > (granted[kind] ?? Number.POSITIVE_INFINITY));
  if (over.length === 0) return undefined;
  return over.map((kind) => `${spent[kind]} ${spendWords[kind]} of ${granted[kind]}`).join(", ");
}

/** Names the amounts that are there; without one, there is no limit. */
export function describeSpend(amounts: SpendLimit): string {
  const { tokens, costMicroUsd, steps } = amounts;
  const named = [
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(costMicroUsd === undefined ? [] : [dollars(costMicroUsd)]),
    ...(steps === undefined ? [] : [`${steps} steps`]),
  ];
  return named.join(", ") || "no limit";
}

/** Such as `$12.50` or `$0.0003`. */
export function dollars(microUsd: number): string {
  const digits = microUsd % 10_000 === 0 ? 2 : microUsd % 100 === 0 ? 4 : 6;
  return `$${(microUsd / 1e6).toFixed(digits)}`;
}

export const spendWords = {
  tokens: "tokens",
  costMicroUsd: "millionths of a US dollar",
  steps: "steps",
} as const;
