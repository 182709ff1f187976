import type { DatabaseSync } from "node:sqlite";
import { checkLimits } from "../../limits.ts";
import type { Decryptor } from "../crypto/decryptor.ts";
import { damage, wrongTables } from "../errors.ts";
import { integer } from "../format/columns.ts";
import { findFaults } from "./find-faults.ts";
import { findSchemaFaults } from "./find-schema-faults.ts";
import { RowWalk, tablesOf, type WalkedTable } from "./row-walk.ts";

/** The files of a store at opening. */
export interface Found {
  readonly place: string;
  /** Bytes of the database, and of its log. */
  readonly size: number;
  readonly logSize: number;
  /** Up to this size the whole store is checked. */
  readonly wholeBytes: number;
}

/**
 * Refuses a damaged store, however it was closed. A small store is checked completely. In a larger one, this checks the
 * tables, the end of the file and the newest rows; the hub reads the journals of all open pipelines and compares them with their
 * digests; `BackgroundCheck` checks everything else while the hub runs.
 */
export function checkAtStart(db: DatabaseSync, found: Found, decryptor: Decryptor): void {
  const { place } = found;
  const [wrong] = findSchemaFaults(db);
  if (wrong !== undefined) throw wrongTables(place, wrong);
  refuseCutOff(db, found);
  // Without its key a store is unusable, whatever its other faults.
  if (decryptor.problem !== undefined) throw decryptor.problem;
  const faults = isSmall(found)
    ? findFaults(db, decryptor).map(({ message }) => message)
    : tablesOf(db).flatMap((table) => findNewestFaults(db, table, decryptor));
  const [fault] = faults;
  if (fault !== undefined) throw damage(place, fault);
  for (const { says, sql } of tails) {
    if (db.prepare(sql).get() !== undefined) throw damage(place, says);
  }
}

export function isSmall({ size, logSize, wholeBytes }: Found): boolean {
  return size + logSize <= wholeBytes;
}

/** Only pages that are in the log may be missing at the end of the database. */
function refuseCutOff(db: DatabaseSync, { place, size, logSize }: Found): void {
  const pages = integer(db.prepare("PRAGMA page_count").get()?.page_count);
  const pageBytes = integer(db.prepare("PRAGMA page_size").get()?.page_size);
  if (logSize > 0 || size >= pages * pageBytes) return;
  throw damage(place, `the file has ${size} bytes, and ${pages * pageBytes} belong to it`);
}

function findNewestFaults(db: DatabaseSync, table: WalkedTable, decryptor: Decryptor): readonly string[] {
  const first = db
    .prepare(`SELECT rowid AS number FROM ${table} ORDER BY rowid DESC LIMIT 1 OFFSET ?`)
    .get(checkLimits.newestRows);
  const walk = new RowWalk(db, table, decryptor);
  for (let above: number | undefined = integer(first?.number ?? 0); above !== undefined; ) {
    const { faults, last } = walk.look(above);
    if (faults.length > 0) return faults;
    above = last;
  }
  return [];
}

const tails = [
  {
    says: "the newest journal row is not what its pipeline has seen last",
    sql: `SELECT 1 FROM journal j LEFT JOIN pipelines p ON p.n = j.pipeline
      WHERE j.n = (SELECT max(n) FROM journal) AND p.version IS NOT j.last_version`,
  },
  {
    says: "the newest audit entry is not the last of its tenant",
    sql: `SELECT 1 FROM audit a WHERE a.n = (SELECT max(n) FROM audit)
      AND a.first_sequence <> (SELECT max(first_sequence) FROM audit WHERE tenant = a.tenant)`,
  },
  {
    says: "the newest events are not the last of their tenant",
    sql: `SELECT 1 FROM events e WHERE e.n = (SELECT max(n) FROM events)
      AND e.first_sequence <> (SELECT max(first_sequence) FROM events WHERE tenant = e.tenant)`,
  },
];
