import type { DatabaseSync } from "node:sqlite";
import type { StoreFault } from "../../../ports/store-error.ts";
import { checkLimits } from "../../limits.ts";
import { text } from "../columns.ts";
import { damaged, otherTables } from "../errors.ts";
import type { Opener } from "../sealing/opener.ts";
import { findSchemaFaults } from "./find-schema-faults.ts";
import { judgeOf } from "./judge-row.ts";
import { describeLost, findLostEntries } from "./lost-entries.ts";

const mostFaults = checkLimits.faults;

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
    says: (what) => `a timer belongs to no pipeline: its row names ${what}`,
    sql: "SELECT CAST(pipeline AS TEXT) AS what FROM timers WHERE pipeline NOT IN (SELECT n FROM pipelines WHERE version > 0)",
  },
  {
    says: (what) => `pipeline "${what}" is newer than the newest instant that is noted`,
    sql: `SELECT pipeline_id AS what FROM pipelines
      WHERE max(created_ms, updated_ms) > (SELECT newest_ms FROM clock)`,
  },
];

/** What is wrong, of the file first, then of what is in it. All of it is seen at one instant. */
export function findFaults(db: DatabaseSync, opener: Opener): readonly StoreFault[] {
  return faultsOf(db, opener, rules.map(breaking));
}

/** The same, and whether the record has lost entries: a hub starts without them, and its auditor reports it. */
export function findAllFaults(db: DatabaseSync, opener: Opener): readonly StoreFault[] {
  return faultsOf(db, opener, [...rules.map(breaking), findLost]);
}

const findLost = tolerant((db) => findLostEntries(db).map(describeLost));

function faultsOf(db: DatabaseSync, opener: Opener, looks: readonly Look[]): readonly StoreFault[] {
  db.exec("BEGIN");
  try {
    const inRows = ["journal", "audit"].map((table) => wrongRows(table, opener));
    const found = (looks: readonly Look[], { code, fix } = damaged) =>
      looks.flatMap((look) => look(db)).map((message) => ({ code, message, fix }));
    return [
      ...found([findFileFaults]),
      ...found([tolerant(findSchemaFaults)], otherTables),
      ...found([findLostRows, ...looks]),
      ...findKeyFaults(opener),
      ...found(inRows),
    ].slice(0, mostFaults);
  } finally {
    // Damage may have ended it already. Nothing was written.
    if (db.isTransaction) db.exec("ROLLBACK");
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

/** A store whose key is not there is looked at as far as that goes. */
function findKeyFaults(opener: Opener): readonly StoreFault[] {
  try {
    if (opener.problem === undefined) return [];
    const { code, message, fix } = opener.problem;
    const then = "what is sealed was held against its sums and was not opened";
    return [{ code, message: `${message}; ${then}`, fix }];
  } catch (error) {
    const { code, fix } = damaged;
    return [{ code, message: error instanceof Error ? error.message : String(error), fix }];
  }
}

/** What is wrong inside of the rows of a table. */
function wrongRows(table: string, opener: Opener): Look {
  return tolerant((db) => {
    const judge = judgeOf(table, opener.problem === undefined ? opener : undefined);
    const faults: string[] = [];
    for (const row of db.prepare(`SELECT * FROM ${table} ORDER BY n`).iterate()) {
      faults.push(...judge(row));
      if (faults.length >= mostFaults) break;
    }
    return faults;
  });
}
