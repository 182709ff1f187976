import {
  type DaySpend,
  maxAmount,
  type SpendAmounts,
  type SpendQuery,
  type SpendRow,
} from "../../ports/store.ts";
import { spendColumns } from "../fields.ts";

/** The spending of tenants, added up when it is written, and again by the groups of a query. */
export class SpendTable {
  /** By tenant, day, agent, template and model. */
  readonly #rows = new Map<string, SpendRow>();

  add(row: SpendRow): void {
    put(this.#rows, row);
  }

  since(day: number): readonly DaySpend[] {
    const days = new Map<string, SpendRow>();
    for (const row of this.#rows.values()) if (row.day >= day) put(days, { ...row, ...unnamed });
    return [...days.values()].map(({ tenantId, day: of, inputTokens, outputTokens, costMicroUsd }) => ({
      tenantId,
      day: of,
      tokens: Math.min(maxAmount, inputTokens + outputTokens),
      costMicroUsd,
    }));
  }

  query({ tenantId, fromDay, toDay, groupBy, limit }: SpendQuery): readonly SpendRow[] {
    const kept = new Set<keyof SpendRow>(
      groupBy.flatMap((group) => spendColumns[group].map(([name]) => name)),
    );
    const groups = new Map<string, SpendRow>();
    for (const row of this.#rows.values()) {
      if (row.tenantId !== tenantId || row.day < fromDay || row.day > toDay) continue;
      const given = Object.entries({ day: 0, ...unnamed }).filter(
        ([name]) => !kept.has(name as keyof SpendRow),
      );
      put(groups, { ...row, ...Object.fromEntries(given) });
    }
    return [...groups.values()].sort(inOrder).slice(0, limit);
  }
}

const unnamed = { packId: "", templateId: "", provider: "", model: "" };

function put(rows: Map<string, SpendRow>, row: SpendRow): void {
  const { tenantId, day, packId, templateId, provider, model } = row;
  const key = JSON.stringify([tenantId, day, packId, templateId, provider, model]);
  const before = rows.get(key);
  rows.set(key, before ? { ...row, ...sumOf(before, row) } : { ...row });
}

function sumOf(a: SpendRow, b: SpendRow): SpendAmounts {
  const sum = (name: Exclude<keyof SpendAmounts, "costUnknown">) => Math.min(maxAmount, a[name] + b[name]);
  return {
    calls: sum("calls"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    cacheReadTokens: sum("cacheReadTokens"),
    cacheWriteTokens: sum("cacheWriteTokens"),
    reasoningTokens: sum("reasoningTokens"),
    costMicroUsd: sum("costMicroUsd"),
    costUnknown: a.costUnknown || b.costUnknown,
  };
}

/** By day, then the most expensive first, then by names, as SQLite compares them. */
function inOrder(a: SpendRow, b: SpendRow): number {
  const tokens = (row: SpendRow) => Math.min(maxAmount, row.inputTokens + row.outputTokens);
  const numbers = a.day - b.day || b.costMicroUsd - a.costMicroUsd || tokens(b) - tokens(a);
  if (numbers !== 0) return numbers;
  for (const name of ["packId", "templateId", "provider", "model"] as const) {
    const order = Buffer.compare(Buffer.from(a[name]), Buffer.from(b[name]));
    if (order !== 0) return order;
  }
  return 0;
}
