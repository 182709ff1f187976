import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Queries that are kept. */
const mostQueries = 64;

/** Most callers ask the same few questions again and again. */
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
