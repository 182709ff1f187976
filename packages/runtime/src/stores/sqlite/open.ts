import type { Store } from "../../ports/store.ts";
import { checkLimits, loneLimits } from "../limits.ts";
import { isSmall } from "./checking/check-at-start.ts";
import { LateCheck, warnOf } from "./checking/late-check.ts";
import { connect, connectToRead, foundIn } from "./connection.ts";
import { asStoreError } from "./errors.ts";
import { makeDirectory, makeFile, storeFiles } from "./files.ts";
import { lockStore } from "./lock.ts";
import { SqliteStore } from "./sqlite-store.ts";

export interface SqliteOptions {
  /** Made when there is none. */
  readonly directory: string;
  /** Where the key of what is sealed is kept; `baton.key` in the directory otherwise. Made with the store. */
  readonly key?: string | undefined;
  /** Reads what is there, beside the process that writes. Nothing is made and nothing is locked. */
  readonly readOnly?: boolean;
  /** Up to this many bytes the store is looked at whole before it is used. A larger one is looked at beside the hub. */
  readonly wholeCheckBytes?: number;
  /** After so many batches that came one by one, those that follow are written in the thread that asks. */
  readonly loneAfter?: number;
  /**
   * Hears once, after a store that is in use was looked at whole: what is wrong with it, or undefined when nothing is.
   * Without it, what is wrong becomes a warning of the process.
   */
  readonly onLateCheck?: (problem: Error | undefined) => void;
}

/** Opens the store in a directory. Throws `StoreUnavailable`. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { directory, readOnly = false } = options;
  const { wholeCheckBytes = checkLimits.wholeBytes, onLateCheck = warnOf } = options;
  const { loneAfter = loneLimits.after } = options;
  const files = storeFiles(directory, options.key);
  if (readOnly) {
    return new SqliteStore({
      files,
      loneAfter,
      isReadOnly: true,
      connect: () => connectToRead(files),
      letGo: async () => {},
      release: () => {},
    });
  }
  try {
    makeDirectory(directory);
    const lock = lockStore(files);
    try {
      makeFile(files.database);
      const wasSmall = isSmall(foundIn(files, wholeCheckBytes));
      let late: LateCheck | undefined;
      const store = new SqliteStore({
        files,
        loneAfter,
        isReadOnly: false,
        connect: () => connect(files, wholeCheckBytes),
        letGo: async () => late?.stop(),
        release: () => lock.release(),
      });
      if (!wasSmall) late = new LateCheck(files, onLateCheck);
      return store;
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw asStoreError(error, directory);
  }
}
