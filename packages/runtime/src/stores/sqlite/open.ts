import type { Store } from "../../ports/store.ts";
import { connect, connectToRead } from "./connection.ts";
import { asStoreError } from "./errors.ts";
import { makeDirectory, makeFile, storeFiles } from "./files.ts";
import { lockStore } from "./lock.ts";
import { SqliteStore } from "./sqlite-store.ts";

export interface SqliteOptions {
  /** Made when there is none. */
  readonly directory: string;
  /** Reads what is there, beside the process that writes. Nothing is made and nothing is locked. */
  readonly readOnly?: boolean;
}

/** Opens the store in a directory. Throws `StoreUnavailable`. */
export async function openSqliteStore({ directory, readOnly = false }: SqliteOptions): Promise<Store> {
  const files = storeFiles(directory);
  if (readOnly) {
    const access = { directory, isReadOnly: true, connect: () => connectToRead(files), release: () => {} };
    return new SqliteStore(access);
  }
  try {
    makeDirectory(directory);
    const lock = lockStore(files);
    try {
      makeFile(files.database);
      return new SqliteStore({
        directory,
        isReadOnly: false,
        connect: () => connect(files),
        release: () => lock.release(),
      });
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw asStoreError(error, directory);
  }
}
