import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Retention, RetentionShare } from "../../../ports/store.ts";
import { pruneLimits } from "../../limits.ts";
import { integer } from "../format/columns.ts";

/** A table with retention, and the statements that read its rows of a tenant, oldest first. */
interface Aging {
  readonly sizes: StatementSync;
  readonly oldest: StatementSync;
  readonly remove: StatementSync;
  /** Whether the last row of a tenant stays, since the next one continues it. */
  readonly keepsLast: boolean;
  /** Bytes by tenant, of the rows up to `last`.*/
  readonly bytes: Map<number, number>;
  seen: number;
}

/**
 * Removes rows beyond the retention in small steps, so that no batch waits long. It learns the sizes by reading all rows once, and
 * later the new ones, so that writes need not count.
 */
export class Pruner {
  readonly #tenants: StatementSync;
  readonly #events: Aging;
  readonly #turns: Aging;
  readonly #oldSteps: StatementSync;
  readonly #removeStep: StatementSync;
  /** The last tenant visited in this round. */
  #tenant = 0;

  constructor(db: DatabaseSync) {
    this.#tenants = db.prepare("SELECT n FROM tenants WHERE n > ? ORDER BY n LIMIT ?");
    this.#events = aging(db, "events", "length(events)", "first_sequence", true);
    this.#turns = aging(db, "agent_logs", "octet_length(envelope_json)", "n", false);
    this.#oldSteps = db.prepare(
      `SELECT s.n, s.value_bytes FROM steps s JOIN pipelines p ON p.n = s.pipeline
        WHERE s.tenant = ? AND s.at_ms < ? AND p.ended = 1 ORDER BY s.n LIMIT ?`,
    );
    this.#removeStep = db.prepare("DELETE FROM steps WHERE n = ?");
  }

  /** Returns whether the round continues. */
  step({ events, turns }: Retention): boolean {
    if (this.#measure(this.#events, events) || this.#measure(this.#turns, turns)) return true;
    const tenants = this.#tenants.all(this.#tenant, pruneLimits.tenants).map(({ n }) => integer(n));
    for (const tenant of tenants) {
      const isFull = [
        this.#prune(this.#events, tenant, events),
        this.#prune(this.#turns, tenant, turns),
        this.#pruneSteps(tenant, turns.fromMs),
      ];
      if (isFull.includes(true)) return true;
      this.#tenant = tenant;
    }
    if (tenants.length === pruneLimits.tenants) return true;
    this.#tenant = 0;
    return false;
  }

  /** Returns whether there are rows with unknown sizes. */
  #measure(table: Aging, { bytes }: RetentionShare): boolean {
    if (bytes === undefined) return false;
    const rows = table.sizes.all(table.seen, pruneLimits.measured);
    for (const row of rows) {
      const tenant = integer(row.tenant);
      table.bytes.set(tenant, (table.bytes.get(tenant) ?? 0) + integer(row.size));
      table.seen = integer(row.n);
    }
    return rows.length === pruneLimits.measured;
  }

  /** By age alone: the number and the sizes of the steps of an attempt are limited. */
  #pruneSteps(tenant: number, fromMs: number | undefined): boolean {
    if (fromMs === undefined) return false;
    let freed = 0;
    const rows = this.#oldSteps.all(tenant, fromMs, pruneLimits.rows);
    for (const row of rows) {
      if (freed >= pruneLimits.bytes) return true;
      this.#removeStep.run(integer(row.n));
      freed += integer(row.value_bytes);
    }
    return rows.length === pruneLimits.rows;
  }

  /** Returns whether the limit of a step was reached. */
  #prune(table: Aging, tenant: number, { fromMs = 0, bytes }: RetentionShare): boolean {
    let [removed, freed] = [0, 0];
    const rows = table.oldest.all(tenant, pruneLimits.rows + 1);
    for (const [place, row] of rows.entries()) {
      if (removed === pruneLimits.rows || freed >= pruneLimits.bytes) return true;
      if (table.keepsLast && place === rows.length - 1) return false;
      const held = table.bytes.get(tenant) ?? 0;
      if (integer(row.at_ms) >= fromMs && (bytes === undefined || held <= bytes)) return false;
      const [n, size] = [integer(row.n), integer(row.size)];
      table.remove.run(n);
      if (n <= table.seen) table.bytes.set(tenant, held - size);
      removed++;
      freed += size;
    }
    return false;
  }
}

function aging(db: DatabaseSync, name: string, size: string, order: string, keepsLast: boolean): Aging {
  return {
    sizes: db.prepare(`SELECT n, tenant, ${size} AS size FROM ${name} WHERE n > ? ORDER BY n LIMIT ?`),
    oldest: db.prepare(
      `SELECT n, at_ms, ${size} AS size FROM ${name} WHERE tenant = ? ORDER BY ${order} LIMIT ?`,
    ),
    remove: db.prepare(`DELETE FROM ${name} WHERE n = ?`),
    keepsLast,
    bytes: new Map(),
    seen: 0,
  };
}
