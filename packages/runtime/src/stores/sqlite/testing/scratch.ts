import { mkdtempSync, rmSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Store } from "../../../ports/store.ts";
import { openSqliteStore } from "../open.ts";

// Every store has a thread, and every thread has the same sources.
enableCompileCache();

/** A folder of its own. */
export function makeScratch(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "baton-store-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A folder that goes away with the test. */
export function scratchForTest(): string {
  const { folder, remove } = makeScratch();
  onTestFinished(remove);
  return folder;
}

/** A store that is closed with the test. */
export async function openForTest(directory: string, readOnly = false): Promise<Store> {
  const store = await openSqliteStore({ directory, readOnly });
  onTestFinished(() => store.close());
  return store;
}
