import { hash } from "node:crypto";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { bytes, integer, text } from "./columns.ts";
import { noKinds, withKind } from "./kinds.ts";
import { unpackContents } from "./packed-contents.ts";
import { unpackHeads } from "./unpack-audit.ts";

/** A report does not grow with the damage. */
export const mostFaults = 100;

interface Rule {
  readonly says: (what: string) => string;
  /** Selects `what` of the rows that break it. */
  readonly sql: string;
}

const rules: readonly Rule[] = [
  {
    says: (what) => `the journal of pipeline "${what}" does not have as many records as its row says`,
    sql: `SELECT pipeline_id AS what FROM pipelines p
      WHERE version <> coalesce((SELECT sum(last_version - version + 1) FROM journal WHERE pipeline = p.n), 0)`,
  },
  {
    says: (what) => `the journal of pipeline "${what}" has a gap`,
    sql: `SELECT DISTINCT p.pipeline_id AS what FROM pipelines p JOIN (
        SELECT pipeline, version, lag(last_version + 1, 1, 1) OVER (PARTITION BY pipeline ORDER BY version) AS expected
        FROM journal
      ) j ON j.pipeline = p.n WHERE j.version <> j.expected`,
  },
  {
    says: (what) => `the audit record of tenant "${what}" has a gap`,
    sql: `SELECT DISTINCT t.tenant_id AS what FROM tenants t JOIN (
        SELECT tenant, first_sequence,
          lag(last_sequence + 1, 1, 1) OVER (PARTITION BY tenant ORDER BY first_sequence) AS expected
        FROM audit
      ) a ON a.tenant = t.n WHERE a.first_sequence <> a.expected`,
  },
  {
    says: (what) => `the events of tenant "${what}" have a gap`,
    sql: `SELECT DISTINCT t.tenant_id AS what FROM tenants t JOIN (
        SELECT tenant, first_sequence,
          lag(last_sequence + 1, 1, first_sequence) OVER (PARTITION BY tenant ORDER BY first_sequence) AS expected
        FROM events
      ) e ON e.tenant = t.n WHERE e.first_sequence <> e.expected`,
  },
  {
    says: (what) => `command ${what} belongs to no pipeline`,
    sql: `SELECT CAST(id AS TEXT) AS what FROM outbox
      WHERE pipeline NOT IN (SELECT n FROM pipelines WHERE version > 0)`,
  },
  {
    says: (what) => `timer "${what}" belongs to no pipeline`,
    sql: "SELECT timer_id AS what FROM timers WHERE pipeline NOT IN (SELECT n FROM pipelines WHERE version > 0)",
  },
  {
    says: (what) => `pipeline "${what}" is newer than the newest instant that is noted`,
    sql: `SELECT pipeline_id AS what FROM pipelines
      WHERE max(created_ms, updated_ms) > (SELECT newest_ms FROM clock)`,
  },
];

/** What is wrong, of the file first, then of what is in it. All of it is seen at one instant. */
export function findFaults(db: DatabaseSync): string[] {
  db.exec("BEGIN");
  try {
    const looks = [findFileFaults, findLostRows, ...rules.map(breaking), findWrongDigests, findWrongAudit];
    return looks.flatMap((look) => look(db)).slice(0, mostFaults);
  } finally {
    db.exec("COMMIT");
  }
}

function breaking({ says, sql }: Rule): Look {
  return tolerant((db) =>
    db
      .prepare(`${sql} LIMIT ${mostFaults}`)
      .all()
      .map(({ what }) => says(text(what))),
  );
}

type Look = (db: DatabaseSync) => string[];

/** Damage may keep a look from its end; that is a finding too, and the others still look. */
function tolerant(look: Look): Look {
  return (db) => {
    try {
      return look(db);
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  };
}

const findFileFaults = tolerant((db) => {
  const lines = db.prepare(`PRAGMA integrity_check(${mostFaults})`).all();
  return lines.map((row) => text(row.integrity_check)).filter((line) => line !== "ok");
});

const findLostRows = tolerant((db) => {
  const lost = db.prepare("PRAGMA foreign_key_check").all().slice(0, mostFaults);
  return lost.map(
    (row) => `a row of ${text(row.table)} refers to a row of ${text(row.parent)} that is not there`,
  );
});

const findWrongDigests = tolerant((db) => {
  const faults: string[] = [];
  for (const row of db.prepare("SELECT n, directory, contents FROM journal").iterate()) {
    const contents = unpackContents({ directory: text(row.directory), bytes: bytes(row.contents) });
    if (contents.every(({ digest, bytes: content }) => digest === hash("sha256", content, "base64url")))
      continue;
    faults.push(`a content of journal row ${integer(row.n)} is not what its digest says`);
    if (faults.length >= mostFaults) break;
  }
  return faults;
});

/** Rows of audit entries whose directories are not about their entries. */
const findWrongAudit = tolerant((db) => {
  const rows = db.prepare(`SELECT n, first_sequence, last_sequence, oldest_ms, newest_ms, kinds, directory,
    length(entries) AS size FROM audit`);
  const faults: string[] = [];
  for (const row of rows.iterate()) {
    if (fitsDirectory(row)) continue;
    faults.push(`audit row ${integer(row.n)} does not have the entries that it says it has`);
    if (faults.length >= mostFaults) break;
  }
  return faults;
});

function fitsDirectory(row: Record<string, SQLOutputValue>): boolean {
  const { n, first_sequence, last_sequence, oldest_ms, newest_ms, directory } = row;
  try {
    const heads = unpackHeads({
      n: integer(n),
      tenantId: "",
      pipelineId: "",
      firstSequence: integer(first_sequence),
      lastSequence: integer(last_sequence),
      oldestMs: integer(oldest_ms),
      hasOwnIds: false,
      directory: text(directory),
    });
    const size = heads.reduce((sum, { hashLength, entryLength }) => sum + hashLength + entryLength, 0);
    const kinds = heads.reduce((sum, { eventType }) => withKind(sum, eventType), noKinds);
    const times = heads.map(({ atMs }) => atMs);
    return (
      size === integer(row.size) &&
      kinds === integer(row.kinds) &&
      Math.min(...times) === integer(oldest_ms) &&
      Math.max(...times) === integer(newest_ms)
    );
  } catch {
    return false;
  }
}
