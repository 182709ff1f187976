import type { DatabaseSync } from "node:sqlite";
import { integer } from "../format/columns.ts";

interface Link {
  readonly says: (n: number) => string;
  /** Selects `n` of rows in a range that do not continue the row before. */
  readonly sql: string;
}

const links: Readonly<Record<string, Link>> = {
  pipelines: {
    says: (n) => `the journal of pipeline row ${n} does not end where the row says`,
    sql: `SELECT n FROM pipelines r WHERE n > ? AND n <= ?
      AND version <> coalesce((SELECT max(last_version) FROM journal WHERE pipeline = r.n), 0)`,
  },
  journal: {
    says: (n) => `the journal has a gap before row ${n}`,
    sql: `SELECT n FROM journal r WHERE n > ? AND n <= ? AND version <> 1 + coalesce((
      SELECT max(last_version) FROM journal WHERE pipeline = r.pipeline AND last_version < r.last_version), 0)`,
  },
  audit: {
    says: (n) => `the audit record has a gap before row ${n}`,
    sql: `SELECT n FROM audit r WHERE n > ? AND n <= ? AND first_sequence <> 1 + coalesce((
      SELECT last_sequence FROM audit WHERE tenant = r.tenant AND first_sequence < r.first_sequence
      ORDER BY first_sequence DESC LIMIT 1), 0)`,
  },
};

/** Finds rows in a range that do not continue the row before. */
export function judgeLinks(db: DatabaseSync, table: string): (above: number, upTo: number) => string[] {
  const link = links[table];
  if (link === undefined) return () => [];
  const broken = db.prepare(`${link.sql} LIMIT 1`);
  return (above, upTo) => {
    const row = broken.get(above, upTo);
    return row === undefined ? [] : [link.says(integer(row.n))];
  };
}
