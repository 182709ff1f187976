import type { DatabaseSync, StatementSync } from "node:sqlite";
import { checkLimits } from "../../limits.ts";
import { integer } from "../columns.ts";
import { codeOf } from "../errors.ts";
import type { Opener } from "../sealing/opener.ts";
import { judgeLinks } from "./judge-links.ts";
import { judgeLookups } from "./judge-lookups.ts";
import { judgeOf, type Row } from "./judge-row.ts";

/** Tables whose rows have a number. What else there is, the hub reads whole at every start. */
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
] as const;

export type WalkedTable = (typeof walkedTables)[number];

/** A store that is only looked at may be of an earlier version, and have fewer. */
export function tablesOf(db: DatabaseSync): readonly WalkedTable[] {
  const named = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return walkedTables.filter((table) => named.get(table) !== undefined);
}

export interface Page {
  readonly faults: readonly string[];
  /** Number of the last row that was looked at; absent when there are no more. */
  readonly last: number | undefined;
}

/**
 * Looks at the rows of a table by their numbers, some at a time: that SQLite can read all of each, that every index leads
 * to it, that the row before it is there, and that what has a digest is what that says.
 */
export class RowWalk {
  readonly #table: WalkedTable;
  readonly #rows: StatementSync;
  readonly #judge: (row: Row) => string[];
  readonly #among: readonly ((above: number, upTo: number) => string[])[];

  constructor(db: DatabaseSync, table: WalkedTable, opener: Opener) {
    this.#table = table;
    this.#rows = db.prepare(
      `SELECT rowid AS number, * FROM ${table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ${checkLimits.rowsAtOnce}`,
    );
    this.#judge = judgeOf(table, opener);
    this.#among = [judgeLookups(db, table), judgeLinks(db, table)];
  }

  /** The rows above a number, as many as are looked at in one go. */
  look(above: number): Page {
    try {
      return this.#look(above);
    } catch (error) {
      // What SQLite finds has a code of its own; numbers that are too large for any row of ours do not.
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
