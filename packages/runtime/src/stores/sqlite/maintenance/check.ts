import { type StoreFault, StoreUnavailable } from "../../../ports/store-error.ts";
import { connectToRead } from "../connection.ts";
import { asStoreError } from "../errors.ts";
import { storeFiles } from "../files.ts";
import { runInThread } from "./run-in-thread.ts";

/**
 * The faults of the store in a directory. It does not take the lock, so that a hub may run meanwhile.
 */
export async function checkSqlite(directory: string, key?: string): Promise<readonly string[]> {
  return (await findSqliteFaults(directory, key)).map(({ message }) => message);
}

/** As `checkSqlite`, with code and fix of each fault. */
export async function findSqliteFaults(directory: string, key?: string): Promise<readonly StoreFault[]> {
  const files = storeFiles(directory, key);
  try {
    connectToRead(files).close();
    return (await runInThread({ kind: "check", files })) as readonly StoreFault[];
  } catch (error) {
    const converted = asStoreError(error, directory);
    // Damage that prevents reading is a result too.
    if (!(converted instanceof StoreUnavailable) || converted.code !== "BATON-STORE-003") throw converted;
    const { code, message, fix } = converted;
    return [{ code, message, fix }];
  }
}
