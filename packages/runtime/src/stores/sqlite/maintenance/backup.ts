import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { connectToRead } from "../connection.ts";
import { cipherOf, isEncrypted } from "../crypto/adopt-key.ts";
import { readKey, writeKey } from "../crypto/key-file.ts";
import { asStoreError, codeOf } from "../errors.ts";
import { makeFile, type StoreFiles, storeFiles, syncDirectory } from "../files.ts";
import { runInThread } from "./run-in-thread.ts";

/**
 * Copies the store of a directory into a new file, even while a hub writes to it, and its key into a second file, whose path it
 * returns; older stores have no key. Each file appears under its name when it is complete and durable, the key first. To restore
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
    // Unlike a rename, a link never replaces an existing file.
    linkSync(unfinished, path);
  } catch (error) {
    // A key without its copy would block the next attempt.
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

/** Refuses an unreadable store and a wrong key: the copy would be useless. Returns whether there is a key. */
function lookInto(files: StoreFiles): boolean {
  try {
    const db = connectToRead(files);
    try {
      const hasKey = isEncrypted(db);
      if (hasKey) cipherOf(db, files);
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
