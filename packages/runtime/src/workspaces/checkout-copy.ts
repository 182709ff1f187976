import { lstat, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Dependency, KeptCopy, KeptJob, NoCopy } from "../ports/outside.ts";
import { findWorkspace } from "../processes/allowed-workspaces.ts";
import { restoreBaseFiles } from "./git/base-files.ts";
import { checkOut } from "./git/check-out.ts";
import { git } from "./git/git.ts";
import { openPrivateGit } from "./git/private-git.ts";
import { findRepository, type Repository, textOf } from "./git/repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/**
 * A fresh checkout of a commit, for the contract's commands. The agent's workspace may contain more than the commit:
 * files that git ignores could let commands pass that fail for everybody else.
 */
export async function checkOutCopy(
  { registry, settings, scratchFolder }: WorkspaceParts,
  { branch, commit, asInBase = [], rootCommit }: KeptJob,
  signal: AbortSignal,
): Promise<KeptCopy | NoCopy> {
  const entry = await registry.find(branch);
  if (!entry) return { ok: false, reason: "its workspace was removed" };
  const found = await findRepository(entry.repository, settings.allowed, signal);
  if (!found.ok) return found;
  const { repository } = found;
  await mkdir(scratchFolder, { recursive: true });
  const ownFolder = await mkdtemp(join(scratchFolder, "copy-"));
  const close = () => rm(ownFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  try {
    const directory = join(ownFolder, "work");
    const problem = await checkOut(repository, directory, branch, commit, signal);
    if (problem) {
      await close();
      return problem;
    }
    const restored = await restoreBaseFiles(directory, rootCommit ?? entry.baseCommit, asInBase, signal);
    if (typeof restored === "string") {
      await close();
      return { ok: false, reason: restored };
    }
    await copyRefs(repository, directory, signal);
    return {
      ok: true,
      directory,
      laid: restored,
      readable: await objectFolders(repository.objects),
      dependencies: await findDependencies(entry.repository, directory, settings, signal),
      differs: () => filesThatDiffer(scratchFolder, repository, directory, commit, signal),
      lacks: () =>
        missingFiles(scratchFolder, repository, registry.folderOf(branch), directory, commit, signal),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Copies branches and tags, so that commands can compare with them and cannot move them. */
async function copyRefs({ gitDir }: Repository, directory: string, signal: AbortSignal): Promise<void> {
  const kinds = ["refs/heads", "refs/tags", "refs/remotes"];
  const args = [`--git-dir=${gitDir}`, "for-each-ref", "--format=%(objectname) %(refname)", ...kinds];
  const listed = textOf(await git({ args }, signal));
  if (listed !== undefined && listed !== "")
    await writeFile(join(directory, ".git", "packed-refs"), `${listed}\n`);
}

const maxAlternates = 20;

/** Object folders of a repository: its own and its alternates, recursively. */
export async function objectFolders(objects: string): Promise<readonly string[]> {
  const found = new Set([objects]);
  for (const folder of found) {
    if (found.size > maxAlternates) break;
    const text = await readFile(join(folder, "info", "alternates"), "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      const real = line === "" ? undefined : await realpath(resolve(folder, line)).catch(() => undefined);
      if (real !== undefined) found.add(real);
    }
  }
  return [...found];
}

/** Folders of the user's checkout that commands need. Files of the commit take precedence. */
async function findDependencies(
  path: string,
  directory: string,
  { dependencies, allowed }: WorkspaceParts["settings"],
  signal: AbortSignal,
): Promise<readonly Dependency[]> {
  if (dependencies.length === 0) return [];
  const toplevel = textOf(await git({ args: ["rev-parse", "--show-toplevel"], directory: path }, signal));
  if (toplevel === undefined) return [];
  const found: Dependency[] = [];
  for (const name of dependencies) {
    const from = await findWorkspace(join(toplevel, name), allowed);
    if (from.ok && (await isFree(directory, name)))
      found.push({ name, from: from.directory, to: join(directory, name) });
  }
  return found;
}

/** Whether nothing exists at this path and none of its parents is a link. */
async function isFree(directory: string, name: string): Promise<boolean> {
  let current = directory;
  for (const part of name.split("/")) {
    current = join(current, part);
    const found = await lstat(current).catch(() => undefined);
    if (!found) return true;
    if (!found.isDirectory()) return false;
  }
  return false;
}

const maxMissing = 10;

/**
 * Files that the agent's workspace has and the copy lacks because git ignores them: the most common reason why a
 * command fails only here.
 */
async function missingFiles(
  scratchFolder: string,
  repository: Repository,
  workspace: string,
  directory: string,
  commit: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const privateGit = await openPrivateGit(scratchFolder, repository, signal);
  try {
    if (!(await privateGit.run(["read-tree", commit])).ok) return [];
    const ignored = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
    const listed = textOf(await privateGit.runIn(workspace, ignored)) ?? "";
    const missing: string[] = [];
    for (const name of listed.split("\0")) {
      if (missing.length >= maxMissing) break;
      if (name !== "" && !(await lstat(join(directory, name)).catch(() => undefined))) missing.push(name);
    }
    return missing;
  } finally {
    await privateGit.close();
  }
}

const maxListed = 20;

/** Files of the commit that the commands changed, as a sentence. New files do not count, because commands build. */
async function filesThatDiffer(
  scratchFolder: string,
  repository: Repository,
  folder: string,
  commit: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const privateGit = await openPrivateGit(scratchFolder, repository, signal);
  try {
    const read = await privateGit.run(["read-tree", commit]);
    if (!read.ok) return read.reason;
    const options = ["-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"];
    const listed = await privateGit.runIn(folder, ["diff", ...options, "--ignore-submodules=dirty"]);
    if (!listed.ok) return listed.reason;
    const paths = listed.output.split("\0").filter((path) => path !== "");
    if (paths.length === 0) return undefined;
    const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more` : "";
    return `${paths.slice(0, maxListed).join(", ")}${more} changed while the commands ran`;
  } finally {
    await privateGit.close();
  }
}
