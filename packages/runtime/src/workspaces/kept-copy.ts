import { lstat, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findWorkspace } from "../evidence/allowed-workspaces.ts";
import type { Dependency, KeptCopy, KeptJob, NoCopy } from "../ports/outside.ts";
import { layBase } from "./base-files.ts";
import { checkOut } from "./check-out.ts";
import { openDesk } from "./desk.ts";
import { git } from "./git.ts";
import { howItDiffers } from "./how-it-differs.ts";
import { findRepository, type Repository, textOf } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/**
 * A fresh checkout of what was kept, for the contract's commands. The agent's own place may hold more than the commit does:
 * what git ignores there could make commands pass that fail for everybody else.
 */
export async function copyKept(
  { places, settings, desks }: WorkspaceParts,
  { branch, commit, asInBase = [] }: KeptJob,
  signal: AbortSignal,
): Promise<KeptCopy | NoCopy> {
  const note = await places.note(branch);
  if (!note) return { ok: false, reason: "its place is gone" };
  const found = await findRepository(note.repository, settings.allowed, signal);
  if (!found.ok) return found;
  const { repository } = found;
  await mkdir(desks, { recursive: true });
  const own = await mkdtemp(join(desks, "kept-"));
  const close = () => rm(own, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  try {
    const directory = join(own, "work");
    const problem = await checkOut(repository, directory, branch, commit, signal);
    if (problem) {
      await close();
      return problem;
    }
    const laid = await layBase(directory, note.baseCommit, asInBase, signal);
    if (typeof laid === "string") {
      await close();
      return { ok: false, reason: laid };
    }
    await showRefs(repository, directory, signal);
    return {
      ok: true,
      ...{ directory, laid },
      readable: await objectFolders(repository.objects),
      dependencies: await findDependencies(note.repository, directory, settings, signal),
      differs: () => howItDiffers(desks, repository, directory, commit, signal),
      lacks: () => whatIsMissing(desks, repository, places.folderOf(branch), directory, commit, signal),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Branches and tags as they are now, so that commands may compare with them. They are a copy: none can be moved from there. */
async function showRefs({ gitDir }: Repository, directory: string, signal: AbortSignal): Promise<void> {
  const kinds = ["refs/heads", "refs/tags", "refs/remotes"];
  const args = [`--git-dir=${gitDir}`, "for-each-ref", "--format=%(objectname) %(refname)", ...kinds];
  const listed = textOf(await git({ args }, signal));
  if (listed !== undefined && listed !== "")
    await writeFile(join(directory, ".git", "packed-refs"), `${listed}\n`);
}

const mostBorrowed = 20;

/** Where the objects of a repository are: its own, and those that it borrows in turn. */
export async function objectFolders(objects: string): Promise<readonly string[]> {
  const found = new Set([objects]);
  for (const folder of found) {
    if (found.size > mostBorrowed) break;
    const text = await readFile(join(folder, "info", "alternates"), "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      const real = line === "" ? undefined : await realpath(resolve(folder, line)).catch(() => undefined);
      if (real !== undefined) found.add(real);
    }
  }
  return [...found];
}

/** Folders of the user's own checkout that commands need and no commit has. What the commit has comes first. */
async function findDependencies(
  path: string,
  directory: string,
  { dependencies, allowed }: WorkspaceParts["settings"],
  signal: AbortSignal,
): Promise<readonly Dependency[]> {
  if (dependencies.length === 0) return [];
  const top = textOf(await git({ args: ["rev-parse", "--show-toplevel"], directory: path }, signal));
  if (top === undefined) return [];
  const found: Dependency[] = [];
  for (const name of dependencies) {
    const from = await findWorkspace(join(top, name), allowed);
    if (from.ok && (await isFree(directory, name)))
      found.push({ name, from: from.directory, to: join(directory, name) });
  }
  return found;
}

/** Nothing is there, and no folder on the way is a link that leads elsewhere. */
async function isFree(directory: string, name: string): Promise<boolean> {
  let place = directory;
  for (const part of name.split("/")) {
    place = join(place, part);
    const found = await lstat(place).catch(() => undefined);
    if (!found) return true;
    if (!found.isDirectory()) return false;
  }
  return false;
}

const mostMissing = 10;

/** What the agent's place has and the copy has not, because git ignores it: the usual reason why a command fails only here. */
async function whatIsMissing(
  desks: string,
  repository: Repository,
  place: string,
  directory: string,
  commit: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const desk = await openDesk(desks, repository, signal);
  try {
    if (!(await desk.git(["read-tree", commit])).ok) return [];
    const ignored = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
    const listed = textOf(await desk.gitIn(place, ignored)) ?? "";
    const missing: string[] = [];
    for (const name of listed.split("\0")) {
      if (missing.length >= mostMissing) break;
      if (name !== "" && !(await lstat(join(directory, name)).catch(() => undefined))) missing.push(name);
    }
    return missing;
  } finally {
    await desk.close();
  }
}
