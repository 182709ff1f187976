import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../git/git.ts";
import { openPrivateGit, type PrivateGit } from "../git/private-git.ts";
import type { SnapshotLimits } from "../settings.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

export interface FolderToSnapshot {
  readonly directory: string;
  /** Base commit of the comparison. */
  readonly base: string;
  readonly limits: SnapshotLimits;
  /** See `openPrivateGit`. */
  readonly attributes?: string;
}

export type FolderSnapshot =
  | {
      readonly ok: true;
      readonly privateGit: PrivateGit;
      readonly base: string;
      readonly snapshot: Extract<Snapshot, { ok: true }>;
      /** Object folder of the shared repository; `privateGit` reads it in addition to its own. */
      readonly sharedObjects: string;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * The content of a folder that agents share, as a tree: committed, changed and new files.
 *
 * An agent controls the folder, including its `.git`. So git runs with a directory, an index and objects in `ownFolder`
 * and only reads objects from the shared repository: its settings, filters, hooks, excludes, attributes and index flags
 * have no effect.
 */
export async function snapshotFolder(
  ownFolder: string,
  { directory, base: baseCommit, limits, attributes }: FolderToSnapshot,
  signal: AbortSignal,
): Promise<FolderSnapshot> {
  const args = ["rev-parse", "--path-format=absolute", "--show-object-format", "--show-toplevel"];
  const found = await git({ args: [...args, "--git-path", "objects"], directory }, signal);
  if (!found.ok) return failed(found.reason);
  // HEAD is not reliable: the agent may have moved it.
  if (baseCommit === "") return failed("the base commit is not known");
  const name = `${baseCommit}^{commit}`;
  const resolved = await git(
    { args: ["rev-parse", "--verify", "--end-of-options", name], directory },
    signal,
  );
  if (!resolved.ok) return failed(`there is no commit "${baseCommit}" to compare with`);
  const [format, root, sharedObjects] = found.output.split("\n");
  if ((format !== "sha1" && format !== "sha256") || !root || !sharedObjects)
    return failed("its repository has an unknown object format");
  const base = resolved.output.trimEnd();
  const objects = join(ownFolder, "objects");
  await mkdir(objects);
  const privateGit = await openPrivateGit(
    ownFolder,
    { objects, format, shallow: undefined },
    signal,
    attributes,
  );
  const snapshot = await takeSnapshot(privateGit, root, base, limits, sharedObjects);
  return snapshot.ok ? { ok: true, privateGit, base, snapshot, sharedObjects } : failed(snapshot.reason);
}

function failed(reason: string): FolderSnapshot {
  return { ok: false, reason };
}
