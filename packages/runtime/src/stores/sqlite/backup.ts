import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { StoreUnavailable } from "../../ports/store-error.ts";
import { connectToRead } from "./connection.ts";
import { asStoreError, codeOf } from "./errors.ts";
import { makeFile, storeFiles, syncDirectory } from "./files.ts";
import { runInThread } from "./run-in-thread.ts";

/**
 * Copies the store of a directory into a new file, also while a hub writes to it. The copy gets its name once it is whole
 * and durable. To go on from it, put it into an empty directory as `baton.db`.
 */
export async function backupSqlite(directory: string, path: string): Promise<void> {
  refuseTaken(path);
  refuseUnreadable(directory);
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  try {
    makeFile(unfinished);
    await runInThread({ kind: "backup", directory, path: unfinished });
    syncFile(unfinished);
    // Unlike a renaming, a link never takes the place of another file.
    linkSync(unfinished, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw taken(path);
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
}

function refuseUnreadable(directory: string): void {
  try {
    connectToRead(storeFiles(directory)).close();
  } catch (error) {
    throw asStoreError(error, directory);
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
