import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Verification } from "@baton/kernel";
import { snapshotFolder } from "../workspaces/folder-snapshot.ts";
import { changesIn, defaultSnapshotLimits } from "../workspaces/snapshot.ts";

/** What was changed; or why that cannot be seen. */
export type SeenChanges = Pick<Verification, "changes" | "unseenChanges">;

/** What was changed in a folder that agents share, since a commit: committed, changed and new. */
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
  const limits = { ...defaultSnapshotLimits, files: newFiles };
  const seen = await snapshotFolder(own, { directory, base: baseCommit, limits }, signal);
  if (!seen.ok) return unseen(seen.reason);
  const changes = await changesIn(seen.desk, seen.base, seen.snapshot, seen.theirs);
  return changes ? { changes } : unseen("git could not compare it");
}

const tooLate = "the time for looking was over";

function unseen(reason: string): SeenChanges {
  return { changes: undefined, unseenChanges: reason };
}
