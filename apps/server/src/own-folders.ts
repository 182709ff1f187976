/** The hub's private folders, readable by their owner only. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigProblem } from "./files/problem.ts";

let temporary: string | undefined;

/** The parent of all folders of `makeTemporaryFolder`, removed at exit. Hidden from commands. */
export function temporaryFolders(): string {
  if (temporary !== undefined) return temporary;
  const made = mkdtempSync(join(tmpdir(), "baton-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  temporary = made;
  return made;
}

/** A fresh folder, removed at exit. */
export function makeTemporaryFolder(): string {
  return mkdtempSync(join(temporaryFolders(), "own-"));
}

/**
 * A folder for envelopes, prompts and git's own files of running commands. Removes what a killed hub left: the caller holds
 * the lock of the data folder, so no other hub uses it.
 */
export function makeScratchFolder(data: string): string {
  const folder = join(data, "scratch");
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A command may have made files undeletable; that does not prevent the start.
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/**
 * A data folder that the hub creates is private. The permissions of an existing one stay, because others may be meant to
 * read it; the hub warns about them.
 */
export function findOpenFolder(data: string): ConfigProblem | undefined {
  const mode = statSync(data, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === "win32" || (mode & 0o077) === 0) return undefined;
  return {
    ...{ code: "BATON-SERVER-015", at: data },
    message: "users other than its owner can access the data folder",
    fix: `restrict it: chmod 700 ${data}`,
  };
}
