import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Verification } from "@baton/kernel";
import { snapshotFolder } from "../workspaces/changes/folder-snapshot.ts";
import { changesIn } from "../workspaces/changes/snapshot.ts";
import { defaultSnapshotLimits } from "../workspaces/settings.ts";

/** The changes, or why they are unknown. */
export type SeenChanges = Pick<Verification, "changes" | "unseenChanges">;

/** Changes in a folder that agents share since the base commit: committed, changed and new files. */
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
  if (leftMs <= 0) return unknownChanges(timedOut);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(leftMs)]);
  const ownFolder = await mkdtemp(join(scratch, "baton-git-"));
  try {
    return await readChanges(directory, baseCommit, newFiles, ownFolder, deadline);
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error;
    return unknownChanges(timedOut);
  } finally {
    await rm(ownFolder, { recursive: true, force: true });
  }
}

async function readChanges(
  directory: string,
  baseCommit: string,
  newFiles: number,
  ownFolder: string,
  signal: AbortSignal,
): Promise<SeenChanges> {
  const limits = { ...defaultSnapshotLimits, files: newFiles };
  const taken = await snapshotFolder(ownFolder, { directory, base: baseCommit, limits }, signal);
  if (!taken.ok) return unknownChanges(taken.reason);
  const changes = await changesIn(taken.privateGit, taken.base, taken.snapshot, taken.sharedObjects);
  return changes ? { changes } : unknownChanges("git could not compare it");
}

const timedOut = "the time for context was over";

function unknownChanges(reason: string): SeenChanges {
  return { changes: undefined, unseenChanges: reason };
}
