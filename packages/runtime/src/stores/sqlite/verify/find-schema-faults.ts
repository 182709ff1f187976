import { DatabaseSync } from "node:sqlite";
import { text } from "../format/columns.ts";
import { applyMigrations, versionOf } from "../schema/migrate.ts";

interface Part {
  readonly type: string;
  readonly name: string;
  /** Undefined for automatic indexes. */
  readonly sql: string | undefined;
}

/**
 * Tables, indexes and triggers that differ from what the migrations create. Without its trigger, an append-only table could be
 * changed (OBS-03) unnoticed.
 */
export function findSchemaFaults(db: DatabaseSync): string[] {
  const found = new Map(partsOf(db).map((part) => [part.name, part]));
  const wanted = new Map(expectedParts(versionOf(db)).map((part) => [part.name, part]));
  const faults: string[] = [];
  for (const { type, name, sql } of wanted.values()) {
    const there = found.get(name);
    if (there === undefined) faults.push(`the ${type} ${name} is missing`);
    else if (there.type !== type || there.sql !== sql) faults.push(`the ${type} ${name} is another one`);
  }
  for (const { type, name } of found.values()) {
    // Operators may add tables and indexes for their queries. A trigger would change the behaviour of Baton.
    if (type === "trigger" && !wanted.has(name)) faults.push(`the trigger ${name} is not one of Baton`);
  }
  return faults;
}

function expectedParts(version: number): Part[] {
  const db = new DatabaseSync(":memory:");
  try {
    applyMigrations(db, 0, version);
    return partsOf(db);
  } finally {
    db.close();
  }
}

function partsOf(db: DatabaseSync): Part[] {
  const rows = db.prepare("SELECT type, name, sql FROM sqlite_schema").all();
  return rows.map(({ type, name, sql }) => ({
    type: text(type),
    name: text(name),
    sql: sql === null ? undefined : text(sql),
  }));
}
