import type { DatabaseSync, StatementSync } from "node:sqlite";
import { checkLimits } from "../../limits.ts";
import type { Decryptor } from "../crypto/decryptor.ts";
import { codeOf } from "../errors.ts";
import { integer } from "../format/columns.ts";
import { judgeLinks } from "./judge-links.ts";
import { judgeLookups } from "./judge-lookups.ts";
import { judgeOf, type Row } from "./judge-row.ts";

/** Tables with numbered rows. The hub reads the others completely at every start. */
const walkedTables = [
  "tenants",
  "pipelines",
  "views",
  "journal",
  "audit",
  "events",
  "fleet",
  "outbox",
  "escalations",
  "agent_logs",
  "steps",
  "knowledge",
] as const;

export type WalkedTable = (typeof walkedTables)[number];

/** A store that is opened for reading may be older, and have fewer tables. */
export function tablesOf(db: DatabaseSync): readonly WalkedTable[] {
  const named = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return walkedTables.filter((table) => named.get(table) !== undefined);
}

export interface Page {
  readonly faults: readonly string[];
  /** Number of the last row checked; undefined after the last row. */
  readonly last: number | undefined;
}

/**
 * Checks the rows of a table in steps: that SQLite can read each row completely, that every index contains it, that the row
 * before it exists, and that content matches its digest.
 */
export class RowWalk {
  readonly #table: WalkedTable;
  readonly #rows: StatementSync;
  readonly #judge: (row: Row) => string[];
  readonly #among: readonly ((above: number, upTo: number) => string[])[];

  constructor(db: DatabaseSync, table: WalkedTable, decryptor: Decryptor) {
    this.#table = table;
    this.#rows = db.prepare(
      `SELECT rowid AS number, * FROM ${table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ${checkLimits.rowsAtOnce}`,
    );
    this.#judge = judgeOf(table, decryptor);
    this.#among = [judgeLookups(db, table), judgeLinks(db, table)];
  }

  /** Checks the rows of one step above a number. */
  look(above: number): Page {
    try {
      return this.#look(above);
    } catch (error) {
      // Errors of SQLite have a code; numbers that are too large for our rows do not.
      if (codeOf(error) !== "ERR_OUT_OF_RANGE") throw error;
      return {
        faults: [`a row of ${this.#table} above ${above} has a number that is too large`],
        last: undefined,
      };
    }
  }

  #look(above: number): Page {
    const faults: string[] = [];
    let last: number | undefined;
    let size = 0;
    for (const row of this.#rows.iterate(above)) {
      last = integer(row.number);
      faults.push(...this.#judge(row));
      size += sizeOf(row);
      if (size >= checkLimits.bytesAtOnce) break;
    }
    if (last === undefined) return { faults, last };
    for (const judge of this.#among) faults.push(...judge(above, last));
    return { faults, last };
  }
}

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row)) {
    if (typeof value === "string" || value instanceof Uint8Array) size += value.length;
  }
  return size;
}
