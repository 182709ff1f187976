import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Prepared queries in the cache. */
const mostQueries = 64;

/** Prepares queries and caches them: callers repeat a few. */
export class PreparedQueries {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= mostQueries) this.#statements.clear();
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
