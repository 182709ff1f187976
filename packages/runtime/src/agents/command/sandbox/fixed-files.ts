import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Fixed } from "../../../evidence/sandbox/sandbox.ts";

/** Of a repository, what makes git run programs, for whoever uses it next. */
const inGitFolder = ["config", "config.worktree", "hooks", "modules", "worktrees"];

/**
 * What an agent cannot change in a folder that it shares with others: the settings and hooks of its repository. Files,
 * index, branches and objects it can.
 */
export async function fixedIn(directory: string): Promise<readonly Fixed[]> {
  const holder = join(directory, ".git");
  const found = await lstat(holder).catch(() => undefined);
  if (!found || found.isSymbolicLink()) return [];
  if (found.isFile()) return [{ path: holder, holder: directory }];
  await mkdir(join(holder, "hooks"), { recursive: true }); // One that is not there could be made.
  const fixed: Fixed[] = [];
  for (const name of inGitFolder) {
    const path = join(holder, name);
    const entry = await lstat(path).catch(() => undefined);
    // A link of an earlier attempt would show what it leads to.
    if (entry && !entry.isSymbolicLink()) fixed.push({ path, holder });
  }
  return fixed;
}
