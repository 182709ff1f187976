import type { PlaceNote } from "./places.ts";
import { removePlace } from "./release.ts";
import { type Trouble, trouble } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/** Removes what may go by now, and what only stays for a while when there is no room otherwise. Says why there is none. */
export async function makeRoom(parts: WorkspaceParts, signal: AbortSignal): Promise<Trouble | undefined> {
  const { places, settings, now } = parts;
  const notes: PlaceNote[] = [];
  for (const branch of await places.all()) {
    const note = await places.note(branch);
    if (note) notes.push(note);
  }
  const staying = notes
    .filter(({ keepUntilMs }) => keepUntilMs !== undefined)
    .sort((one, other) => (one.keepUntilMs ?? 0) - (other.keepUntilMs ?? 0));
  let count = notes.length;
  let bytes = notes.reduce((sum, note) => sum + note.bytes, 0);
  for (const note of staying) {
    const isOver = (note.keepUntilMs ?? 0) <= now();
    if (!isOver && count < settings.mostPlaces && bytes < settings.mostBytes) continue;
    await removePlace(parts, note.branch, signal);
    count--;
    bytes -= note.bytes;
  }
  if (count >= settings.mostPlaces) {
    const reason = `agents work in ${count} places, and no more than ${settings.mostPlaces} are made`;
    return trouble(reason, "answer with retry when some of them are done, or set workspaces.places higher");
  }
  if (bytes < settings.mostBytes) return undefined;
  const reason = `the places in which agents work have ${bytes} bytes, and ${settings.mostBytes} are allowed`;
  return trouble(reason, "answer with retry when some of them are done, or set workspaces.bytes higher");
}
