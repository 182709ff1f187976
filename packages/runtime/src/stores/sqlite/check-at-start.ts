import type { DatabaseSync } from "node:sqlite";
import { text } from "./columns.ts";
import { damage } from "./errors.ts";

/** Up to this size the whole file is looked at after an end that was not clean: a fraction of a second. */
const quickCheckBytes = 64 * 1024 * 1024;

interface Before {
  readonly place: string;
  /** Bytes of the database. */
  readonly size: number;
  /** A log is left over when the process before did not close the store. */
  readonly wasClean: boolean;
}

/** Refuses a store whose newest rows do not fit together. Everything else is found by `check`, or when it is read. */
export function checkAtStart(db: DatabaseSync, { place, size, wasClean }: Before): void {
  if (!wasClean && size <= quickCheckBytes) {
    const said = text(db.prepare("PRAGMA quick_check(1)").get()?.quick_check);
    if (said !== "ok") throw damage(place, said);
  }
  for (const { says, sql } of tails) {
    if (db.prepare(sql).get() !== undefined) throw damage(place, says);
  }
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
