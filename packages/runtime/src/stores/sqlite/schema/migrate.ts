import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { wrongTables } from "../errors.ts";
import { integer } from "../format/columns.ts";

/** "Batn", set by the first migration. */
const applicationId = 0x4261746e;

interface Migration {
  readonly version: number;
  readonly file: URL;
}

/** In order: `0001-….sql` leads to version 1. */
const migrations: readonly Migration[] = listMigrations(new URL("./migrations/", import.meta.url));

export const newestVersion: number = migrations.at(-1)?.version ?? 0;

/** Migrates the tables to the newest version, each migration in a transaction of its own. */
export function migrate(db: DatabaseSync, place: string): void {
  applyMigrations(db, refuseForeign(db, place), newestVersion);
}

/** Applies the migrations above one version, up to another. */
export function applyMigrations(db: DatabaseSync, above: number, upTo: number): void {
  for (const migration of migrations) {
    if (migration.version <= above || migration.version > upTo) continue;
    db.exec("BEGIN IMMEDIATE");
    try {
      db.exec(readFileSync(migration.file, "utf8"));
      db.exec(`PRAGMA user_version = ${migration.version}`);
      db.exec("COMMIT");
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  }
}

/** The version of the tables; 0 for an empty file. Throws for other databases and for stores of a newer Baton. */
export function refuseForeign(db: DatabaseSync, place: string): number {
  const version = versionOf(db);
  const id = pragma(db, "application_id");
  const isEmpty = version === 0 && id === 0 && db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (isEmpty) return 0;
  if (id !== applicationId) throw wrongTables(place, "it is a database, but no store of Baton");
  if (version > newestVersion) {
    throw new StoreUnavailable(
      "BATON-STORE-002",
      `the store ${place} has version ${version}, and this Baton knows versions up to ${newestVersion}`,
      { fix: "start the newer version of Baton that has written it", mayPass: false },
    );
  }
  return version;
}

export function versionOf(db: DatabaseSync): number {
  return pragma(db, "user_version");
}

function pragma(db: DatabaseSync, name: string): number {
  return integer(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function listMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 4)), file: new URL(name, folder) }));
}
