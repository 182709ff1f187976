import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { StoreUnavailable } from "../../ports/store-error.ts";
import { connectToRead } from "./connection.ts";
import { asStoreError, codeOf } from "./errors.ts";
import { makeFile, type StoreFiles, storeFiles, syncDirectory } from "./files.ts";
import { runInThread } from "./run-in-thread.ts";
import { isSealed, sealOf } from "./sealing/adopt-key.ts";
import { readKey, writeKey } from "./sealing/key-file.ts";

/**
 * Copies the store of a directory into a new file, also while a hub writes to it, and its key into another one, whose path it
 * gives; a store of an earlier version has none. Each gets its name once it is whole and durable, the key first. To go on from
 * them, put them into an empty directory as `baton.db` and `baton.key`.
 */
export async function backupSqlite(
  directory: string,
  path: string,
  key?: string,
): Promise<string | undefined> {
  const files = storeFiles(directory, key);
  const keyPath = `${path}.key`;
  for (const wanted of [path, keyPath]) refuseTaken(wanted);
  const hasKey = lookInto(files);
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  let keyIsThere = false;
  try {
    makeFile(unfinished);
    await runInThread({ kind: "backup", files, path: unfinished });
    syncFile(unfinished);
    if (hasKey) {
      writeKey(keyPath, readKey(files.key));
      keyIsThere = true;
    }
    // Unlike a renaming, a link never takes the place of another file.
    linkSync(unfinished, path);
  } catch (error) {
    // A key without what it opens would stand in the way of the next try.
    if (keyIsThere) rmSync(keyPath, { force: true });
    if (codeOf(error) === "EEXIST") throw taken(keyIsThere ? path : keyPath);
    throw new StoreUnavailable(
      "BATON-STORE-007",
      `no backup of ${directory} was written to ${path}: ${error}`,
      {
        fix: "name a file in a directory that can be written to and has room for the whole store",
        mayPass: false,
        cause: error,
      },
    );
  } finally {
    rmSync(unfinished, { force: true });
  }
  syncDirectory(dirname(path));
  return hasKey ? keyPath : undefined;
}

/** Refuses what cannot be read, and a key that does not open the store: the copy would be worth nothing. Whether there is one. */
function lookInto(files: StoreFiles): boolean {
  try {
    const db = connectToRead(files);
    try {
      const hasKey = isSealed(db);
      if (hasKey) sealOf(db, files);
      return hasKey;
    } finally {
      db.close();
    }
  } catch (error) {
    throw asStoreError(error, files.directory);
  }
}

function refuseTaken(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw taken(path);
}

function taken(path: string): StoreUnavailable {
  return new StoreUnavailable("BATON-STORE-007", `there is something at ${path} already`, {
    fix: "name a file that does not exist yet",
    mayPass: false,
  });
}

function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
