import type { DatabaseSync } from "node:sqlite";
import type { DaySpend, SpendQuery, SpendRow } from "../../../ports/store.ts";
import { spendColumns } from "../../fields.ts";
import { integer, text } from "../format/columns.ts";
import { versionOf } from "../schema/migrate.ts";
import { PreparedQueries } from "./query-sql.ts";
import { amount } from "./read-statements.ts";

const versionWithSpend = 12;
const columns = ["day", "pack_id", "template_id", "provider", "model"] as const;
const tokens = amount("input_tokens + output_tokens");

/** Reads the spending of tenants. A store that is opened for reading may be older and has none. */
export class SpendReader {
  readonly #queries: PreparedQueries;
  readonly #hasSpend: boolean;

  constructor(db: DatabaseSync) {
    this.#queries = new PreparedQueries(db);
    this.#hasSpend = versionOf(db) >= versionWithSpend;
  }

  since(day: number): readonly DaySpend[] {
    if (!this.#hasSpend) return [];
    const sql = `SELECT t.tenant_id, s.day, ${amount("s.input_tokens + s.output_tokens")} AS tokens,
      ${amount("s.cost_micro_usd")} AS cost FROM spend s INDEXED BY spend_by_day
      CROSS JOIN tenants t ON t.n = s.tenant WHERE s.day >= ? GROUP BY s.tenant, s.day`;
    return this.#queries
      .prepare(sql)
      .all(day)
      .map((row) => ({
        tenantId: text(row.tenant_id),
        day: integer(row.day),
        tokens: integer(row.tokens),
        costMicroUsd: integer(row.cost),
      }));
  }

  query(tenant: number, { tenantId, fromDay, toDay, groupBy, limit }: SpendQuery): readonly SpendRow[] {
    if (!this.#hasSpend) return [];
    const named = new Set<string>(
      groupBy.flatMap((group) => spendColumns[group].map(([, column]) => column)),
    );
    const groups = columns.filter((column) => named.has(column));
    const selected = columns.map((column) => {
      if (named.has(column)) return column;
      return `${column === "day" ? "0" : "''"} AS ${column}`;
    });
    const group = groups.length === 0 ? "HAVING count(*) > 0" : `GROUP BY ${groups.join(", ")}`;
    const names = columns.slice(1).filter((column) => named.has(column));
    const order = [...(named.has("day") ? ["day"] : []), "cost DESC", `${tokens} DESC`, ...names];
    const sql = `SELECT ${selected.join(", ")}, ${amount("calls")} AS calls, ${amount("input_tokens")} AS input,
      ${amount("output_tokens")} AS output, ${amount("cache_read_tokens")} AS cache_read,
      ${amount("cache_write_tokens")} AS cache_write, ${amount("reasoning_tokens")} AS reasoning,
      ${amount("cost_micro_usd")} AS cost, max(cost_unknown) AS cost_unknown
      FROM spend WHERE tenant = ? AND day BETWEEN ? AND ? ${group} ORDER BY ${order.join(", ")} LIMIT ?`;
    return this.#queries
      .prepare(sql)
      .all(tenant, fromDay, toDay, limit)
      .map((row) => ({
        tenantId,
        day: integer(row.day),
        packId: text(row.pack_id),
        templateId: text(row.template_id),
        provider: text(row.provider),
        model: text(row.model),
        calls: integer(row.calls),
        inputTokens: integer(row.input),
        outputTokens: integer(row.output),
        cacheReadTokens: integer(row.cache_read),
        cacheWriteTokens: integer(row.cache_write),
        reasoningTokens: integer(row.reasoning),
        costMicroUsd: integer(row.cost),
        costUnknown: integer(row.cost_unknown) === 1,
      }));
  }
}
