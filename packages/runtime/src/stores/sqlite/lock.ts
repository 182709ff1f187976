/**
 * One process at a time writes to a store. The lock is an open transaction on a database of its own, so that it ends with the
 * process in any case, and does not block readers of the store.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "../../ports/store-error.ts";
import { sqliteCode } from "./errors.ts";
import { makeFile, type StoreFiles } from "./files.ts";

export interface Lock {
  release(): void;
}

const busy = 5;

export function lockStore({ directory, lock, holder }: StoreFiles): Lock {
  makeFile(lock);
  const db = new DatabaseSync(lock);
  try {
    db.exec("BEGIN EXCLUSIVE");
    writeFileSync(holder, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    db.close();
    if (sqliteCode(error) === busy) throw heldByAnother(directory, readHolder(holder), error);
    throw error;
  }
  return { release: () => db.close() };
}

function heldByAnother(directory: string, pid: string, cause: unknown): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-001", `the store ${directory} is in use by process ${pid}`, {
    fix: `stop that process (pid ${pid}), or use another directory`,
    mayPass: true,
    cause,
  });
}

/** The file is written after the lock is taken, and may be missing for a moment. */
function readHolder(holder: string): string {
  try {
    return /^\d+$/m.exec(readFileSync(holder, "utf8"))?.[0] ?? "unknown";
  } catch {
    return "unknown";
  }
}
