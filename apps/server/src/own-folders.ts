/** Folders for what concerns nobody but the hub. Only its owner may look into them. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigProblem } from "./config/problem.ts";

let temporary: string | undefined;

/** Holds all that `makeTemporaryFolder` makes; it goes with the process. No command may see it. */
export function temporaryFolders(): string {
  if (temporary !== undefined) return temporary;
  const made = mkdtempSync(join(tmpdir(), "baton-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  temporary = made;
  return made;
}

/** One that nobody could have made before, and that goes with the process. */
export function makeTemporaryFolder(): string {
  return mkdtempSync(join(temporaryFolders(), "own-"));
}

/**
 * Where envelopes, prompts and git's own files lie while something runs. A hub that was killed left them there: whoever
 * calls this holds the lock of the data folder, so nobody uses them any more.
 */
export function makeScratchFolder(data: string): string {
  const folder = join(data, "scratch");
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // What a command has forbidden to remove may stay; it is no reason not to start.
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/**
 * A data folder that the hub makes is for its owner alone. One that was there before stays as it is: whether others are
 * meant to look into it is not for the hub to decide, and whoever starts it is told.
 */
export function findOpenFolder(data: string): ConfigProblem | undefined {
  const mode = statSync(data, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === "win32" || (mode & 0o077) === 0) return undefined;
  return {
    ...{ code: "BATON-SERVER-015", at: data },
    message: "others than its owner have rights to the folder of the store",
    fix: `take them away: chmod 700 ${data}`,
  };
}
