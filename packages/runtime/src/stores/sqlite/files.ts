/** What lies in the directory of a store. Only its owner may read it. */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "./errors.ts";

export interface StoreFiles {
  readonly directory: string;
  readonly database: string;
  /** What was committed and is not yet in the database; gone after a clean end. */
  readonly log: string;
  readonly lock: string;
  /** Says who holds the lock. */
  readonly holder: string;
}

export function storeFiles(directory: string): StoreFiles {
  return {
    directory,
    database: join(directory, "baton.db"),
    log: join(directory, "baton.db-wal"),
    lock: join(directory, "baton.lock"),
    holder: join(directory, "baton.pid"),
  };
}

export function makeDirectory(directory: string): void {
  if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) syncDirectory(dirname(directory));
}

/**
 * Makes an empty file when there is none. A file that is there is not opened: closing it would take away the locks that
 * this process has on it.
 */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Makes the names in a directory durable. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Zero when there is no such file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
