import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Verification } from "@baton/kernel";
import { openDesk } from "../workspaces/desk.ts";
import { git } from "../workspaces/git.ts";
import { changesIn, defaultSnapshotLimits, takeSnapshot } from "../workspaces/snapshot.ts";

/** What was changed; or why that cannot be seen. */
export type SeenChanges = Pick<Verification, "changes" | "unseenChanges">;

/**
 * What was changed in a folder that agents share, since a commit: committed, changed and new.
 *
 * The agent has had the folder in its hands, its `.git` too. So git looks with a directory, an index and objects of the
 * hub's own, and only reads objects from there: no settings, filters, hooks, exclusions, attributes or marks of the folder
 * have a say.
 */
export async function workspaceChanges(
  directory: string,
  baseCommit: string,
  {
    newFiles,
    endsAtMs,
    scratch = tmpdir(),
  }: { readonly newFiles: number; readonly endsAtMs: number; readonly scratch?: string | undefined },
  signal: AbortSignal,
): Promise<SeenChanges> {
  const leftMs = Math.ceil(endsAtMs - performance.now());
  if (leftMs <= 0) return unseen(tooLate);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(leftMs)]);
  const own = await mkdtemp(join(scratch, "baton-git-"));
  try {
    return await look(directory, baseCommit, newFiles, own, inTime);
  } catch (error) {
    if (signal.aborted || !inTime.aborted) throw error;
    return unseen(tooLate);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function look(
  directory: string,
  baseCommit: string,
  newFiles: number,
  own: string,
  signal: AbortSignal,
): Promise<SeenChanges> {
  const ask = ["rev-parse", "--path-format=absolute", "--show-object-format", "--show-toplevel"];
  const found = await git({ args: [...ask, "--git-path", "objects"], directory }, signal);
  if (!found.ok) return unseen(found.reason);
  // Where HEAD stands now says nothing: the agent may have moved it.
  if (baseCommit === "") return unseen("which commit the work began with is not known");
  const name = `${baseCommit}^{commit}`;
  const resolved = await git(
    { args: ["rev-parse", "--verify", "--end-of-options", name], directory },
    signal,
  );
  if (!resolved.ok) return unseen(`there is no commit "${baseCommit}" to compare with`);
  const [format, root, theirs] = found.output.split("\n");
  if ((format !== "sha1" && format !== "sha256") || !root || !theirs)
    return unseen("its repository is written in a way that is not known");
  const base = resolved.output.trimEnd();
  const objects = join(own, "objects");
  await mkdir(objects);
  const desk = await openDesk(own, { objects, format, shallow: undefined }, signal);
  const limits = { ...defaultSnapshotLimits, files: newFiles };
  const snapshot = await takeSnapshot(desk, root, base, limits, theirs);
  if (!snapshot.ok) return unseen(snapshot.reason);
  const changes = await changesIn(desk, base, snapshot, theirs);
  return changes ? { changes } : unseen("git could not compare it");
}

const tooLate = "the time for looking was over";

function unseen(reason: string): SeenChanges {
  return { changes: undefined, unseenChanges: reason };
}
