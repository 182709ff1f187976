import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OwnFolder } from "./sandbox.ts";

/** Folders of current runs, removed when the process exits early. */
const inUse = new Set<string>();

/** Provides a home and a temporary folder for one run, removed after it. */
export async function withOwnFolder<Value>(use: (own: OwnFolder) => Promise<Value>): Promise<Value> {
  const parent = await realpath(tmpdir());
  // Synchronous, so that an exiting process knows of every folder.
  const folder = mkdtempSync(join(parent, "baton-run-"));
  removeOnExit(folder);
  const own = { home: join(folder, "home"), temporary: join(folder, "tmp") };
  try {
    for (const path of [own.home, own.temporary]) mkdirSync(path);
    return await use(own);
  } finally {
    // A command may have made files unreadable; leaving them is no failure.
    await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
    inUse.delete(folder);
  }
}

let isWatched = false;

function removeOnExit(folder: string): void {
  inUse.add(folder);
  if (isWatched) return;
  isWatched = true;
  process.on("exit", () => {
    // A killed command may still write for a moment.
    for (const folder of inUse) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}
