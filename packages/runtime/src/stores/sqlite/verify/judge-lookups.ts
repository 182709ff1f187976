import type { DatabaseSync, StatementSync } from "node:sqlite";
import { text } from "../format/columns.ts";

interface Lookup {
  readonly index: string;
  readonly lost: StatementSync;
}

/** Finds rows in a range that are missing from an index. */
export function judgeLookups(db: DatabaseSync, table: string): (above: number, upTo: number) => string[] {
  const names = db.prepare("SELECT name FROM pragma_index_list(?)").all(table);
  const lookups = names.map(({ name }) => prepareLookup(db, table, text(name)));
  return (above, upTo) =>
    lookups.flatMap(({ index, lost }) => {
      const row = lost.get(above, upTo);
      return row === undefined ? [] : [`the index ${index} does not lead to row ${row.number} of ${table}`];
    });
}

function prepareLookup(db: DatabaseSync, table: string, index: string): Lookup {
  const columns = db.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno").all(index);
  const made = db.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(index)?.sql;
  // A partial index: the migrations write its condition behind WHERE.
  const condition = typeof made === "string" ? made.split(/\sWHERE\s/)[1] : undefined;
  const some = condition === undefined ? "" : `AND ${condition}`;
  const same = columns.map(({ name }) => `i.${text(name)} IS r.${text(name)}`).join(" AND ");
  const lost = db.prepare(
    `SELECT r.rowid AS number FROM (SELECT rowid, * FROM ${table} NOT INDEXED WHERE rowid > ? AND rowid <= ? ${some}) r
      WHERE NOT EXISTS (
        SELECT 1 FROM (SELECT rowid, * FROM ${table} INDEXED BY ${index} WHERE TRUE ${some}) i
        WHERE ${same} AND i.rowid = r.rowid)
      LIMIT 1`,
  );
  return { index, lost };
}
