import { lstat, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { VerifiedChanges } from "@baton/kernel";
import { commitTree } from "./begin.ts";
import { type Desk, openDesk } from "./desk.ts";
import { git } from "./git.ts";
import type { PlaceNote } from "./places.ts";
import { findRepository, type Repository, setBranch, textOf } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";
import { changesIn, takeSnapshot } from "./snapshot.ts";

export type Kept =
  | { readonly ok: true; readonly commit: string; readonly changes: VerifiedChanges }
  | { readonly ok: false; readonly reason: string };

/**
 * Makes a commit of what lies in a place, on the branch of the attempt. The agent's own commits are kept when they go on
 * from where it began; what it did not commit comes on top, by the hub. Asked again, it says what it kept the first time.
 */
export async function keepWork(
  { places, settings, desks }: WorkspaceParts,
  branch: string,
  signal: AbortSignal,
): Promise<Kept> {
  const note = await places.note(branch);
  if (!note) return { ok: false, reason: "its place is gone" };
  if (note.kept) return { ok: true, ...note.kept };
  const found = await findRepository(note.repository, settings.allowed, signal);
  if (!found.ok) return found;
  const { repository } = found;
  const desk = await openDesk(desks, repository, signal);
  try {
    const folder = places.folderOf(branch);
    const tip = await takeOver(desk, folder, note, settings.mostHistoryBytes, signal);
    const snapshot = await takeSnapshot(desk, folder, tip, settings.snapshot);
    if (!snapshot.ok) return snapshot;
    const changes = await changesIn(desk, note.baseCommit, snapshot);
    const commit = await commitOf(desk, tip, snapshot.tree, note);
    if (changes === undefined || commit === undefined) return { ok: false, reason: "git could not write it" };
    const set = await setBranch(repository, branch, commit, signal);
    if (typeof set !== "string") return set;
    await disarm(folder, repository.format);
    await places.write({ ...note, kept: { commit, branch: set, changes } });
    return { ok: true, commit, changes };
  } finally {
    await desk.close();
  }
}

/**
 * Takes away what an agent may have left for git to run: a place may stay, and somebody may look at it with git. Its settings
 * are those of a new repository again, and it has no hooks.
 */
async function disarm(folder: string, format: Repository["format"]): Promise<void> {
  const gitDir = join(folder, ".git");
  if (!(await isFolder(gitDir))) return;
  // Removed first: the agent may have put links there.
  for (const name of ["config", "config.worktree", "hooks", "modules", "worktrees"])
    await rm(join(gitDir, name), { recursive: true, force: true });
  const newer = format === "sha1" ? "" : `[extensions]\n\tobjectFormat = ${format}\n`;
  const core = `[core]\n\trepositoryformatversion = ${format === "sha1" ? 0 : 1}\n\tbare = false\n`;
  await writeFile(join(gitDir, "config"), core + newer, { flag: "wx" });
}

/** What the tip of the branch has already needs no commit of the hub. */
async function commitOf(
  desk: Desk,
  tip: string,
  tree: string,
  { branch, subject }: PlaceNote,
): Promise<string | undefined> {
  const has = textOf(await desk.git(["rev-parse", "--verify", "--end-of-options", `${tip}^{tree}`]));
  if (has === tree) return tip;
  const left = `What the agent left on ${branch}`;
  const message = subject ? `${subject}\n\n${left}` : left;
  return textOf(await desk.git(commitTree(tree, [tip], message)));
}

/**
 * The agent's last commit, once its objects are the repository's: where it goes on from the beginning, and nothing is
 * wrong with it. Otherwise the beginning; then its work is kept all the same, and its history is not.
 */
async function takeOver(
  desk: Desk,
  folder: string,
  { startCommit }: PlaceNote,
  mostBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const gitDir = join(folder, ".git");
  const objects = join(gitDir, "objects");
  if (!(await isFolder(gitDir)) || !(await isFolder(objects))) return startCommit;
  const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"];
  const head = textOf(await git({ args: [`--git-dir=${gitDir}`, ...asked] }, signal));
  if (head === undefined || head === startCommit || !/^[0-9a-f]{40,64}$/.test(head)) return startCommit;
  const goesOn = await desk.git(["merge-base", "--is-ancestor", startCommit, head], { objects });
  if (!goesOn.ok) return startCommit;
  const packed = await desk.git(["pack-objects", "--revs", "--stdout", "--quiet"], {
    objects,
    input: `${head}\n^${startCommit}\n`,
    into: ["index-pack", "--strict", "--stdin", `--max-input-size=${mostBytes}`],
  });
  return packed.ok ? head : startCommit;
}

/** A link would have the hub read elsewhere. */
async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
