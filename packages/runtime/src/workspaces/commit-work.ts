import { lstat, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { VerifiedChanges } from "@baton/kernel";
import { changesIn, takeSnapshot } from "./changes/snapshot.ts";
import { commitTree } from "./find-base.ts";
import { git } from "./git/git.ts";
import { takeObjects } from "./git/own-objects.ts";
import { openPrivateGit, type PrivateGit } from "./git/private-git.ts";
import { findRepository, type Repository, setBranch, textOf } from "./git/repository.ts";
import type { WorkspaceParts } from "./settings.ts";
import type { WorkspaceEntry } from "./workspace-registry.ts";

export type CommittedWork =
  | {
      readonly ok: true;
      readonly commit: string;
      readonly changes: VerifiedChanges;
      /** Absent when the run began with the base commit of the attempt, or is unknown. */
      readonly filesSinceRoot?: VerifiedChanges["files"] | undefined;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Commits the content of a workspace to the branch of its attempt. The agent's own commits are retained if they descend
 * from the start commit; the hub adds a commit with the rest. Repeated calls return the first commit.
 */
export async function commitWork(
  { registry, settings, scratchFolder }: WorkspaceParts,
  { branch, rootCommit }: { readonly branch: string; readonly rootCommit?: string | undefined },
  signal: AbortSignal,
): Promise<CommittedWork> {
  const entry = await registry.find(branch);
  if (!entry) return { ok: false, reason: "its workspace was removed" };
  if (entry.kept) return { ok: true, ...entry.kept };
  const found = await findRepository(entry.repository, settings.allowed, signal);
  if (!found.ok) return found;
  const { repository } = found;
  const privateGit = await openPrivateGit(scratchFolder, repository, signal);
  try {
    const folder = registry.folderOf(branch);
    const tip = await importHistory(privateGit, folder, entry, settings.maxHistoryBytes, signal);
    const snapshot = await takeSnapshot(privateGit, folder, tip, settings.snapshot);
    if (!snapshot.ok) return snapshot;
    const changes = await changesIn(privateGit, entry.baseCommit, snapshot);
    const isLater = rootCommit !== undefined && rootCommit !== entry.baseCommit;
    const sinceRoot = isLater ? await changesIn(privateGit, rootCommit, snapshot) : undefined;
    const filesSinceRoot = sinceRoot?.files;
    const commit = await commitOf(privateGit, tip, snapshot.tree, entry);
    if (changes === undefined || commit === undefined) return { ok: false, reason: "git could not write it" };
    const branchName = await setBranch(repository, branch, commit, signal);
    if (typeof branchName !== "string") return branchName;
    await resetGitConfig(folder, repository.format);
    await registry.save({ ...entry, kept: { commit, branch: branchName, changes, filesSinceRoot } });
    return { ok: true, commit, changes, filesSinceRoot };
  } finally {
    await privateGit.close();
  }
}

/**
 * Removes what git would run from a retained workspace, because a person may use git there: hooks, and settings other
 * than those of a new repository.
 */
async function resetGitConfig(folder: string, format: Repository["format"]): Promise<void> {
  const gitDir = join(folder, ".git");
  if (!(await isFolder(gitDir))) return;
  // Removed first, because the agent may have created links there.
  for (const name of ["config", "config.worktree", "hooks", "modules", "worktrees"])
    await rm(join(gitDir, name), { recursive: true, force: true });
  const extensions = format === "sha1" ? "" : `[extensions]\n\tobjectFormat = ${format}\n`;
  const core = `[core]\n\trepositoryformatversion = ${format === "sha1" ? 0 : 1}\n\tbare = false\n`;
  await writeFile(join(gitDir, "config"), core + extensions, { flag: "wx" });
}

/** No commit is needed when the tip has the same tree. */
async function commitOf(
  privateGit: PrivateGit,
  tip: string,
  tree: string,
  { branch, subject }: WorkspaceEntry,
): Promise<string | undefined> {
  const tipTree = textOf(
    await privateGit.run(["rev-parse", "--verify", "--end-of-options", `${tip}^{tree}`]),
  );
  if (tipTree === tree) return tip;
  const title = `Work of the agent on ${branch}`;
  const message = subject ? `${subject}\n\n${title}` : title;
  return textOf(await privateGit.run(commitTree(tree, [tip], message)));
}

/**
 * Imports the objects of the agent's last commit and returns it, if it descends from the start commit and its objects
 * are valid. Otherwise returns the start commit: the work is committed, its history is not.
 */
async function importHistory(
  privateGit: PrivateGit,
  folder: string,
  { startCommit }: WorkspaceEntry,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const gitDir = join(folder, ".git");
  const stored = join(gitDir, "objects");
  if (!(await isFolder(gitDir)) || !(await isFolder(stored))) return startCommit;
  const query = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"];
  const head = textOf(await git({ args: [`--git-dir=${gitDir}`, ...query] }, signal));
  if (head === undefined || head === startCommit || !/^[0-9a-f]{40,64}$/.test(head)) return startCommit;
  const objects = privateGit.newFolder;
  if (!(await takeObjects(stored, objects, maxBytes))) return startCommit;
  const descends = await privateGit.run(["merge-base", "--is-ancestor", startCommit, head], { objects });
  if (!descends.ok) return startCommit;
  const packed = await privateGit.run(["pack-objects", "--revs", "--stdout", "--quiet"], {
    objects,
    input: `${head}\n^${startCommit}\n`,
    into: ["index-pack", "--strict", "--stdin", `--max-input-size=${maxBytes}`],
  });
  return packed.ok ? head : startCommit;
}

/** A link could lead outside. */
async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
