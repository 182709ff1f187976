/** What lies in the directory of a store. Only its owner may read it. */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "./errors.ts";

export interface StoreFiles {
  readonly directory: string;
  readonly database: string;
  /** What was committed and is not yet in the database; gone after a clean end. */
  readonly log: string;
  /** The key of what is sealed in it. */
  readonly key: string;
  readonly lock: string;
  /** Says who holds the lock. */
  readonly holder: string;
}

/** The key may be kept elsewhere. */
export function storeFiles(directory: string, key = join(directory, "baton.key")): StoreFiles {
  return {
    directory,
    database: join(directory, "baton.db"),
    log: join(directory, "baton.db-wal"),
    key,
    lock: join(directory, "baton.lock"),
    holder: join(directory, "baton.pid"),
  };
}

/**
 * Makes the directory and those above it, one by one: Node's recursive form never ends where a system such as /proc says
 * that a directory is not there when it is asked to make one in it.
 */
export function makeDirectory(directory: string): void {
  const path = resolve(directory);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && statSync(path).isDirectory()) return;
    throw error;
  }
  syncDirectory(dirname(path));
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
