import { enableCompileCache } from "node:module";
import { onTestFinished } from "vitest";
import type { Store } from "../../../ports/store.ts";
import { openSqliteStore } from "../open.ts";
import { makeScratch } from "./make-scratch.ts";

export { makeScratch };

// Every store starts a thread with the same sources.
enableCompileCache();

/** A folder that is removed at the end of the test. */
export function scratchForTest(): string {
  const { folder, remove } = makeScratch();
  onTestFinished(remove);
  return folder;
}

/** A store that is closed at the end of the test. */
export async function openForTest(directory: string, readOnly = false): Promise<Store> {
  const store = await openSqliteStore({ directory, readOnly });
  onTestFinished(() => store.close());
  return store;
}
