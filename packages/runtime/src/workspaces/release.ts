import type { ReleaseJob, TellLeft } from "../ports/outside.ts";
import { keepWork } from "./keep.ts";
import type { PlaceNote } from "./places.ts";
import { dropBranch, findRepository } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/** Nobody works there any more: it is removed, now or when its time has come. What was done there is on its branch. */
export async function releasePlace(
  parts: WorkspaceParts,
  { branch, completed }: Pick<ReleaseJob, "branch" | "completed">,
  signal: AbortSignal,
  left: TellLeft,
): Promise<void> {
  const { places, settings, now } = parts;
  const note = await places.note(branch);
  if (!note) return places.remove(branch);
  // An attempt that was lost has left something too, and somebody may want it.
  const kept = await keepWork(parts, branch, signal);
  // The note of it may go with the place: that the hub made this commit has to be known elsewhere before.
  if (kept.ok && kept.commit !== note.startCommit) await left(note.dispatchId, kept.commit);
  const stays = settings.keep === "always" || (settings.keep === "failed" && !completed);
  if (!stays || settings.keepForMs <= 0) return removePlace(parts, branch, signal);
  const noted = (await places.note(branch)) ?? note;
  await places.write({ ...noted, keepUntilMs: noted.keepUntilMs ?? now() + settings.keepForMs });
}

/** The folder goes. The branch stays, unless nothing was done on it. */
export async function removePlace(
  { places, settings }: WorkspaceParts,
  branch: string,
  signal: AbortSignal,
): Promise<void> {
  const note = await places.note(branch);
  if (note && isIdle(note)) {
    const found = await findRepository(note.repository, settings.allowed, signal);
    if (found.ok) await dropBranch(found.repository, branch, note.startCommit, signal);
  }
  await places.remove(branch);
}

function isIdle({ kept, startCommit }: PlaceNote): boolean {
  return kept === undefined || kept.commit === startCommit;
}
