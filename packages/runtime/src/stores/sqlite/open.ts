import type { Store } from "../../ports/store.ts";
import { checkLimits, inlineWriteLimits } from "../limits.ts";
import { connect, connectToRead, foundIn } from "./connection.ts";
import { asStoreError } from "./errors.ts";
import { makeDirectory, makeFile, storeFiles } from "./files.ts";
import { lockStore } from "./lock.ts";
import { BackgroundCheck, emitWarning } from "./maintenance/background-check.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { isSmall } from "./verify/check-at-start.ts";

export interface SqliteOptions {
  /** Created when missing. */
  readonly directory: string;
  /** The file of the key; default `baton.key` in the directory. Created with the store. */
  readonly key?: string | undefined;
  /** Opens an existing store beside the process that writes, without a lock. */
  readonly readOnly?: boolean;
  /** Up to this many bytes the whole store is checked at opening; a larger one in the background. */
  readonly wholeCheckBytes?: number;
  /** Single batches in a row before the calling thread writes the next ones itself. */
  readonly inlineAfter?: number;
  /**
   * Called once, at the end of the background check, with the fault or undefined. By default a fault becomes a warning of the
   * process.
   */
  readonly onBackgroundCheck?: (problem: Error | undefined) => void;
}

/** Opens the store in a directory. Throws `StoreUnavailable`. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { directory, readOnly = false } = options;
  const { wholeCheckBytes = checkLimits.wholeBytes, onBackgroundCheck = emitWarning } = options;
  const { inlineAfter = inlineWriteLimits.after } = options;
  const files = storeFiles(directory, options.key);
  if (readOnly) {
    return sqliteStore({
      files,
      inlineAfter,
      isReadOnly: true,
      connect: () => connectToRead(files),
      stopChecking: async () => {},
      release: () => {},
    });
  }
  try {
    makeDirectory(directory);
    const lock = lockStore(files);
    try {
      makeFile(files.database);
      const wasSmall = isSmall(foundIn(files, wholeCheckBytes));
      let late: BackgroundCheck | undefined;
      const store = sqliteStore({
        files,
        inlineAfter,
        isReadOnly: false,
        connect: () => connect(files, wholeCheckBytes),
        stopChecking: async () => late?.stop(),
        release: () => lock.release(),
      });
      if (!wasSmall) late = new BackgroundCheck(files, onBackgroundCheck);
      return store;
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw asStoreError(error, directory);
  }
}
