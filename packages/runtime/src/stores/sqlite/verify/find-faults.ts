import type { DatabaseSync } from "node:sqlite";
import type { StoreFault } from "../../../ports/store-error.ts";
import { checkLimits } from "../../limits.ts";
import type { Decryptor } from "../crypto/decryptor.ts";
import { damaged, otherTables } from "../errors.ts";
import { text } from "../format/columns.ts";
import { describeLost, findLostEntries } from "../read/lost-entries.ts";
import { versionWithKnowledge, versionWithSteps } from "../read/read-statements.ts";
import { versionOf } from "../schema/migrate.ts";
import { findSchemaFaults } from "./find-schema-faults.ts";
import { judgeOf } from "./judge-row.ts";

const maxFaults = checkLimits.faults;

interface Rule {
  readonly says: (what: string) => string;
  /** Selects a description of each row that breaks the rule, as `what`. */
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

/** Faults of the file, then of its content, all read from one snapshot. */
export function findFaults(db: DatabaseSync, decryptor: Decryptor): readonly StoreFault[] {
  return faultsOf(db, decryptor, rules.map(breaking));
}

/** As `findFaults`, and lost audit entries. A hub starts without them, and its auditor reports them. */
export function findAllFaults(db: DatabaseSync, decryptor: Decryptor): readonly StoreFault[] {
  return faultsOf(db, decryptor, [...rules.map(breaking), findLost]);
}

const findLost = tolerant((db) => findLostEntries(db).map(describeLost));

function faultsOf(db: DatabaseSync, decryptor: Decryptor, looks: readonly Look[]): readonly StoreFault[] {
  db.exec("BEGIN");
  try {
    const version = versionOf(db);
    const since: Readonly<Record<string, number>> = {
      steps: versionWithSteps,
      knowledge: versionWithKnowledge,
    };
    const inRows = ["journal", "audit", "steps", "knowledge"]
      .filter((table) => version >= (since[table] ?? 0))
      .map((table) => wrongRows(table, decryptor));
    const found = (looks: readonly Look[], { code, fix } = damaged) =>
      looks.flatMap((look) => look(db)).map((message) => ({ code, message, fix }));
    return [
      ...found([findFileFaults]),
      ...found([tolerant(findSchemaFaults)], otherTables),
      ...found([findLostRows, ...looks]),
      ...findKeyFaults(decryptor),
      ...found(inRows),
    ].slice(0, maxFaults);
  } finally {
    // Damage may have ended the transaction already. Nothing was written.
    if (db.isTransaction) db.exec("ROLLBACK");
  }
}

function breaking({ says, sql }: Rule): Look {
  return tolerant((db) =>
    db
      .prepare(`${sql} LIMIT ${maxFaults}`)
      .all()
      .map(({ what }) => says(text(what))),
  );
}

type Look = (db: DatabaseSync) => string[];

/** Damage may make a check fail; its error is a fault too, and the other checks continue. */
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
  const lines = db.prepare(`PRAGMA integrity_check(${maxFaults})`).all();
  return lines.map((row) => text(row.integrity_check)).filter((line) => line !== "ok");
});

const findLostRows = tolerant((db) => {
  const lost = db.prepare("PRAGMA foreign_key_check").all().slice(0, maxFaults);
  return lost.map(
    (row) => `a row of ${text(row.table)} refers to a row of ${text(row.parent)} that is not there`,
  );
});

/** Without its key a store is checked as far as possible. */
function findKeyFaults(decryptor: Decryptor): readonly StoreFault[] {
  try {
    if (decryptor.problem === undefined) return [];
    const { code, message, fix } = decryptor.problem;
    const then = "encrypted values were compared with their checksums and not decrypted";
    return [{ code, message: `${message}; ${then}`, fix }];
  } catch (error) {
    const { code, fix } = damaged;
    return [{ code, message: error instanceof Error ? error.message : String(error), fix }];
  }
}

/** Faults within the rows of a table. */
function wrongRows(table: string, decryptor: Decryptor): Look {
  return tolerant((db) => {
    const judge = judgeOf(table, decryptor.problem === undefined ? decryptor : undefined);
    const faults: string[] = [];
    for (const row of db.prepare(`SELECT * FROM ${table} ORDER BY n`).iterate()) {
      faults.push(...judge(row));
      if (faults.length >= maxFaults) break;
    }
    return faults;
  });
}
