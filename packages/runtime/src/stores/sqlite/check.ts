import { type StoreFault, StoreUnavailable } from "../../ports/store-error.ts";
import { connectToRead } from "./connection.ts";
import { asStoreError } from "./errors.ts";
import { storeFiles } from "./files.ts";
import { runInThread } from "./run-in-thread.ts";

/**
 * Everything that is wrong with the store of a directory; empty when nothing is. It does not take the lock, so a hub may
 * go on meanwhile.
 */
export async function checkSqlite(directory: string, key?: string): Promise<readonly string[]> {
  return (await findSqliteFaults(directory, key)).map(({ message }) => message);
}

/** The same, each with its code and the way out. */
export async function findSqliteFaults(directory: string, key?: string): Promise<readonly StoreFault[]> {
  const files = storeFiles(directory, key);
  try {
    connectToRead(files).close();
    return (await runInThread({ kind: "check", files })) as readonly StoreFault[];
  } catch (error) {
    const told = asStoreError(error, directory);
    // Damage that keeps the store from being read is what was asked for.
    if (!(told instanceof StoreUnavailable) || told.code !== "BATON-STORE-003") throw told;
    const { code, message, fix } = told;
    return [{ code, message, fix }];
  }
}
