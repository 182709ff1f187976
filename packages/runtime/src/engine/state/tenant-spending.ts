import {
  type Allowance,
  type Amounts,
  type AttemptSpend,
  addAmounts,
  dayOf,
  grantedTo,
  monthStartOf,
  noAmounts,
  type PipelineState,
  roomsOf,
  type TenantLimits,
  waitOf,
} from "@baton/kernel";
import type { DaySpend, SpendRow } from "../../ports/store.ts";
import { spendRows } from "./spend-rows.ts";

interface Spent {
  /** In the current month. */
  day: number;
  today: Amounts;
  thisMonth: Amounts;
  /** Models of the day that are counted by name. */
  readonly models: Set<string>;
}

/**
 * What each tenant has spent today and this month, and what its attempts under way were given (SAC-12). The store has the
 * spending, and the open pipelines have the rest.
 */
export class TenantSpending {
  readonly #spent = new Map<string, Spent>();
  readonly #held = new Map<string, Amounts>();
  readonly #heldBy = new Map<string, Amounts>();
  /** By tenant: runs that wait for room in its limits, the first to wait first. */
  readonly #waiting = new Map<string, Set<string>>();

  /** The days of the current month, from the store. */
  load(rows: readonly DaySpend[], nowMs: number): void {
    for (const { tenantId, day, tokens, costMicroUsd } of rows) {
      if (day > dayOf(nowMs)) continue; // The clock was set back.
      this.#count(tenantId, day, { tokens, costMicroUsd });
    }
  }

  /** Counts what attempts report, and returns the rows to store. */
  add(
    state: PipelineState,
    spends: readonly AttemptSpend[],
    mask: (name: string) => string,
  ): readonly SpendRow[] {
    return spends.flatMap((spend) => {
      const { models } = this.#at(state.tenantId, dayOf(spend.atMs));
      const rows = spendRows(state, spend, { models, mask });
      for (const { day, inputTokens, outputTokens, costMicroUsd } of rows)
        this.#count(state.tenantId, day, { tokens: inputTokens + outputTokens, costMicroUsd });
      return rows;
    });
  }

  update(state: PipelineState): void {
    const { id, tenantId, life } = state;
    this.#hold(tenantId, id, grantedTo(state));
    const waits =
      life.status === "RUNNING" && state.stages.some((stage) => waitOf(stage)?.kind === "tenant-limit");
    const waiting = this.#waiting.get(tenantId);
    if (waits && waiting) waiting.add(id);
    else if (waits) this.#waiting.set(tenantId, new Set([id]));
    else if (waiting?.delete(id) && waiting.size === 0) this.#waiting.delete(tenantId);
  }

  allowance(tenantId: string, limits: TenantLimits, raised: Amounts, nowMs: number): Allowance {
    const { today, thisMonth } = this.#at(tenantId, dayOf(nowMs));
    const held = this.#held.get(tenantId) ?? noAmounts;
    return { limits, raised, held, spentToday: today, spentThisMonth: thisMonth };
  }

  isAnyWaiting(tenantId: string): boolean {
    return this.#waiting.has(tenantId);
  }

  /** Runs of a tenant that wait, if there is room for any of them. */
  waitingFor(tenantId: string, allowance: Allowance | undefined, nowMs: number): readonly string[] {
    const waiting = this.#waiting.get(tenantId);
    if (!waiting) return [];
    const hasRoom = allowance === undefined || roomsOf(allowance, nowMs).every(({ left }) => left > 0);
    return hasRoom ? [...waiting] : [];
  }

  /** Tenants with runs that wait. */
  waitingTenants(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  #hold(tenantId: string, pipelineId: string, held: Amounts): void {
    const before = this.#heldBy.get(pipelineId) ?? noAmounts;
    if (before === held) return;
    if (held === noAmounts) this.#heldBy.delete(pipelineId);
    else this.#heldBy.set(pipelineId, held);
    const all = addAmounts(addAmounts(this.#held.get(tenantId) ?? noAmounts, before, -1), held);
    if (all.tokens === 0 && all.costMicroUsd === 0) this.#held.delete(tenantId);
    else this.#held.set(tenantId, all);
  }

  #count(tenantId: string, day: number, amounts: Amounts): void {
    const spent = this.#at(tenantId, day);
    if (day === spent.day) spent.today = addAmounts(spent.today, amounts);
    spent.thisMonth = addAmounts(spent.thisMonth, amounts);
  }

  /** Days and months begin from zero. An earlier day is counted in its month alone. */
  #at(tenantId: string, day: number): Spent {
    const known = this.#spent.get(tenantId);
    if (known && day <= known.day) return known;
    const isSameMonth = known !== undefined && monthStartOf(known.day) === monthStartOf(day);
    const thisMonth = isSameMonth ? known.thisMonth : noAmounts;
    const spent = { day, today: noAmounts, thisMonth, models: new Set<string>() };
    this.#spent.set(tenantId, spent);
    return spent;
  }
}
