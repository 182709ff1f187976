import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OwnFolder } from "./sandbox.ts";

/** Folders of runs that are under way. A hub that is told to stop does not wait for these, and leaves nothing. */
const inUse = new Set<string>();

/** Home and temporary folder of one run, gone when it is over. */
export async function withOwnFolder<Value>(use: (own: OwnFolder) => Promise<Value>): Promise<Value> {
  const parent = await realpath(tmpdir());
  // At once: a process that ends meanwhile would leave what it does not know of yet.
  const folder = mkdtempSync(join(parent, "baton-run-"));
  keep(folder);
  const own = { home: join(folder, "home"), temporary: join(folder, "tmp") };
  try {
    for (const path of [own.home, own.temporary]) mkdirSync(path);
    return await use(own);
  } finally {
    // What a command has forbidden to read may stay; it is no reason to fail.
    await rm(folder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
    inUse.delete(folder);
  }
}

let isWatched = false;

function keep(folder: string): void {
  inUse.add(folder);
  if (isWatched) return;
  isWatched = true;
  process.on("exit", () => {
    // A command that was killed may write for a moment longer.
    for (const left of inUse) rmSync(left, { recursive: true, force: true, maxRetries: 5 });
  });
}
