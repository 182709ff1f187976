import { StoreUnavailable } from "../../ports/store-error.ts";
import { connectToRead } from "./connection.ts";
import { asStoreError } from "./errors.ts";
import { storeFiles } from "./files.ts";
import { runInThread } from "./run-in-thread.ts";

/**
 * Everything that is wrong with the store of a directory; empty when nothing is. It does not take the lock, so a hub may
 * go on meanwhile.
 */
export async function checkSqlite(directory: string, key?: string): Promise<readonly string[]> {
  const files = storeFiles(directory, key);
  try {
    connectToRead(files).close();
    const faults = await runInThread({ kind: "check", files });
    return Array.isArray(faults) ? faults.map(String) : [];
  } catch (error) {
    const told = asStoreError(error, directory);
    // Damage that keeps the store from being read is what was asked for.
    if (told instanceof StoreUnavailable && told.code === "BATON-STORE-003") return [told.message];
    throw told;
  }
}
