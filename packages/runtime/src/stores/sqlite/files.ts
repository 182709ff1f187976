/** The files in the directory of a store, readable by their owner alone. */
import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "./errors.ts";

export interface StoreFiles {
  readonly directory: string;
  readonly database: string;
  /** The write-ahead log; removed by a clean shutdown. */
  readonly log: string;
  /** The encryption key. */
  readonly key: string;
  readonly lock: string;
  /** The process that holds the lock. */
  readonly holder: string;
}

/** `key` may be in another directory. */
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
 * Creates the directory and its parents one by one: the recursive form of Node loops for ever in file systems such as /proc, which
 * report a directory as missing when one is created in it.
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
 * Creates an empty file when it is missing. An existing file is not opened: closing it would release the locks of this process
 * on it.
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

/** Makes the entries of a directory durable. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Zero for a missing file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
