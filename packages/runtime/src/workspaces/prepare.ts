import type { MadePlace } from "@baton/kernel";
import type { PrepareJob } from "../ports/outside.ts";
import { findBase } from "./begin.ts";
import { checkOut } from "./check-out.ts";
import { type Desk, openDesk } from "./desk.ts";
import type { PlaceNote } from "./places.ts";
import { findRepository, resolveCommit, setBranch, type Trouble, trouble } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/**
 * Makes the place of an attempt: a folder with a git directory of its own, which borrows the objects of the repository.
 * Whatever an agent does to it (settings, hooks, stash, branches, history) is done to that folder alone.
 *
 * One that is whole is left as it is: it may be asked for again while its agent is at work. It is made elsewhere and put
 * there whole: when the hub is killed, the git that it had begun may work on for a while, where it is in nobody's way.
 */
export async function preparePlace(
  { places, settings, desks, now }: WorkspaceParts,
  { dispatchId, repository: path, branch, base: names, start, subject }: PrepareJob,
  signal: AbortSignal,
): Promise<MadePlace> {
  const folder = places.folderOf(branch);
  const known = await places.note(branch);
  if (known) return madeOf(known, folder);
  const found = await findRepository(path, settings.allowed, signal);
  if (!found.ok) return found;
  const { repository } = found;
  await places.remove(branch); // What an earlier life of the hub left without a note.
  const desk = await openDesk(desks, repository, signal);
  try {
    const base = await findBase(desk, repository, path, names, signal);
    if (typeof base !== "string") return base;
    const startCommit = start === undefined ? base : await resolveCommit(repository, start, signal);
    if (startCommit === undefined)
      return trouble(`the repository "${path}" has lost ${start}`, "look for it with git fsck, or abort");
    const size = await sizeOf(desk, startCommit);
    if (!size.ok) return size;
    const { bytes } = size;
    if (bytes > settings.mostPlaceBytes) {
      const most = settings.mostPlaceBytes;
      return trouble(
        `the files of ${startCommit} have ${bytes} bytes, and ${most} may be in one place`,
        "set workspaces.place_bytes higher, or use a smaller repository",
      );
    }
    const pinned = await setBranch(repository, branch, startCommit, signal);
    if (typeof pinned !== "string") return pinned;
    const problem = await checkOut(repository, desk.room, branch, startCommit, signal);
    if (problem) return problem;
    await places.moveIn(branch, desk.room);
    const note: PlaceNote = {
      ...{ dispatchId, repository: path, branch, baseCommit: base, startCommit, madeAtMs: now(), bytes },
      subject,
    };
    await places.write(note);
    return madeOf(note, folder);
  } finally {
    await desk.close();
  }
}

function madeOf({ branch, baseCommit, startCommit }: PlaceNote, path: string): MadePlace {
  return { ok: true, path, branch, baseCommit, startCommit };
}

/** One whose size cannot be told may be too large: it is not made. */
async function sizeOf(
  desk: Desk,
  commit: string,
): Promise<{ readonly ok: true; readonly bytes: number } | Trouble> {
  const listed = await desk.git(["ls-tree", "-r", "-z", "--format=%(objectsize)", commit]);
  if (!listed.ok)
    return trouble(
      `the size of the files of ${commit} cannot be told: ${listed.reason}`,
      "look for what is missing with git fsck, see that git is 2.36 or newer, and answer with retry",
    );
  const bytes = listed.output.split("\0").reduce((sum, size) => sum + (Number(size) || 0), 0);
  return { ok: true, bytes };
}
