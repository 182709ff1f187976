import { type AttemptSpend, dayOf, type ModelSpend, type PipelineState } from "@baton/kernel";
import { maxAmount, type SpendAmounts, type SpendRow } from "../../ports/store.ts";

interface Naming {
  /** Models of the day that are counted by name; grows. */
  readonly models: Set<string>;
  /** Masks secrets in names that agents chose. */
  readonly mask: (name: string) => string;
}

/** Models of a tenant in a day that are counted by name; agents choose the names. */
const maxModels = 200;
const otherModels = { provider: "", model: "other models" };

/** One row for each model, and one for what belongs to none. Nothing is no row. */
export function spendRows(
  { tenantId, templateId }: PipelineState,
  { packId, spent, atMs }: AttemptSpend,
  naming: Naming,
): readonly SpendRow[] {
  const { models = [] } = spent;
  const about = { tenantId, day: dayOf(atMs), packId: naming.mask(packId), templateId };
  const row = (
    name: { readonly provider: string; readonly model: string },
    amounts: SpendAmounts,
  ): SpendRow => ({
    ...about,
    ...name,
    ...amounts,
  });
  const rows = models.map((one) => row(nameOf(one, naming), amountsOf(one)));
  const rest = (all: number, of: (one: ModelSpend) => number) =>
    bounded(
      Math.max(
        0,
        models.reduce((left, one) => left - of(one), all),
      ),
    );
  const others: SpendAmounts = {
    calls: 0,
    inputTokens: rest(spent.inputTokens, (one) => one.inputTokens),
    outputTokens: rest(spent.tokens - spent.inputTokens, (one) => one.outputTokens),
    cacheReadTokens: rest(spent.cacheReadTokens ?? 0, (one) => one.cacheReadTokens ?? 0),
    cacheWriteTokens: rest(spent.cacheWriteTokens ?? 0, (one) => one.cacheWriteTokens ?? 0),
    reasoningTokens: rest(spent.reasoningTokens ?? 0, (one) => one.reasoningTokens ?? 0),
    costMicroUsd: rest(spent.costMicroUsd, (one) => one.costMicroUsd),
    costUnknown: spent.costUnknown === true && !models.some((one) => one.costUnknown),
  };
  return [...rows, row({ provider: "", model: "" }, others)].filter(isSomething);
}

function nameOf(one: ModelSpend, { models, mask }: Naming) {
  const name = { provider: mask(one.provider), model: mask(one.model) };
  const key = `${name.provider}\n${name.model}`;
  if (models.has(key)) return name;
  if (models.size >= maxModels) return otherModels;
  models.add(key);
  return name;
}

function amountsOf(one: ModelSpend): SpendAmounts {
  return {
    calls: bounded(one.calls),
    inputTokens: bounded(one.inputTokens),
    outputTokens: bounded(one.outputTokens),
    cacheReadTokens: bounded(one.cacheReadTokens ?? 0),
    cacheWriteTokens: bounded(one.cacheWriteTokens ?? 0),
    reasoningTokens: bounded(one.reasoningTokens ?? 0),
    costMicroUsd: bounded(one.costMicroUsd),
    costUnknown: one.costUnknown === true,
  };
}

function bounded(amount: number): number {
  return Math.min(maxAmount, amount);
}

function isSomething(row: SpendRow): boolean {
  return row.calls + row.inputTokens + row.outputTokens + row.costMicroUsd > 0 || row.costUnknown;
}
