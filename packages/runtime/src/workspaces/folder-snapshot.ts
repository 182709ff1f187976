import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Desk, openDesk } from "./desk.ts";
import { git } from "./git.ts";
import { type Snapshot, type SnapshotLimits, takeSnapshot } from "./snapshot.ts";

export interface FolderToSnapshot {
  readonly directory: string;
  /** The commit it is compared with. */
  readonly base: string;
  readonly limits: SnapshotLimits;
  /** See `openDesk`. */
  readonly attributes?: string;
}

export type FolderSnapshot =
  | {
      readonly ok: true;
      readonly desk: Desk;
      readonly base: string;
      readonly snapshot: Extract<Snapshot, { ok: true }>;
      /** The objects of the folder's repository, which the desk reads besides its own. */
      readonly theirs: string;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * What lies in a folder that agents share, as a tree: committed, changed and new.
 *
 * The agent has had the folder in its hands, its `.git` too. So git looks with a directory, an index and objects of the
 * hub's own, in the folder `own`, and only reads objects from there: no settings, filters, hooks, exclusions, attributes or
 * marks of the folder have a say.
 */
export async function snapshotFolder(
  own: string,
  { directory, base: baseCommit, limits, attributes }: FolderToSnapshot,
  signal: AbortSignal,
): Promise<FolderSnapshot> {
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
  const desk = await openDesk(own, { objects, format, shallow: undefined }, signal, attributes);
  const snapshot = await takeSnapshot(desk, root, base, limits, theirs);
  return snapshot.ok ? { ok: true, desk, base, snapshot, theirs } : unseen(snapshot.reason);
}

function unseen(reason: string): FolderSnapshot {
  return { ok: false, reason };
}
