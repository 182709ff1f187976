import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fixed } from "../../../processes/sandbox/sandbox.ts";

/** Files of a repository by which git runs programs for its next user. */
const inGitFolder = ["config", "config.worktree", "commondir", "hooks", "modules", "worktrees"];

/**
 * Such files that most repositories lack and an agent must not create: `commondir` makes git read its settings elsewhere.
 * During an attempt each exists with content that changes nothing.
 */
const standIns: ReadonlyMap<string, string> = new Map([
  ["commondir", ".\n"],
  ["config.worktree", ""],
]);

/** Attempts that need a stand-in, by its path. */
const inUse = new Map<string, number>();

export interface FixedFiles {
  readonly fixed: readonly Fixed[];
  /** Removes what was put there for the attempt. */
  release(): Promise<void>;
}

/**
 * What an agent cannot change in a shared folder: settings and hooks of the repository. It can change files, index, branches
 * and objects.
 */
export async function fixedIn(directory: string): Promise<FixedFiles> {
  const holder = join(directory, ".git");
  const found = await lstat(holder).catch(() => undefined);
  if (!found || found.isSymbolicLink()) return { fixed: [], release: async () => {} };
  if (found.isFile()) return { fixed: [{ path: holder, holder: directory }], release: async () => {} };
  await mkdir(join(holder, "hooks"), { recursive: true }); // A missing one could be created.
  const made: string[] = [];
  for (const [name, content] of standIns)
    if (await standIn(join(holder, name), content)) made.push(join(holder, name));
  const fixed: Fixed[] = [];
  for (const name of inGitFolder) {
    const path = join(holder, name);
    const entry = await lstat(path).catch(() => undefined);
    // A link of an earlier attempt would expose its target.
    if (entry && !entry.isSymbolicLink()) fixed.push({ path, holder });
  }
  return {
    fixed,
    release: async () => {
      for (const path of made) await leave(path);
    },
  };
}

/** False where the repository has the file itself. */
async function standIn(path: string, content: string): Promise<boolean> {
  const users = inUse.get(path) ?? 0;
  inUse.set(path, users + 1);
  const isThere = await writeFile(path, content, { flag: "wx" }).then(
    () => true,
    () => users > 0,
  );
  if (!isThere) inUse.delete(path);
  return isThere;
}

async function leave(path: string): Promise<void> {
  const users = (inUse.get(path) ?? 1) - 1;
  if (users > 0) return void inUse.set(path, users);
  inUse.delete(path);
  await rm(path, { force: true });
}
