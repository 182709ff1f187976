import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { ContentDigest, tooLarge } from "./content-digest.ts";
import { type Place, realPlace } from "./place.ts";
import type { Reading } from "./read-ref.ts";
import { Unreadable } from "./unreadable.ts";

/** Opening must neither wait, as for a pipe that nobody writes to, nor follow a link that was put there meanwhile. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const chunkBytes = 65_536;

/** Reads a file as it is on the disk now. Its version is the time of its last change. */
export async function readFile(place: Place, mostBytes: number, signal: AbortSignal): Promise<Reading> {
  const path = await realPlace(place);
  if (!(await stat(path)).isFile()) throw new Unreadable("it is no regular file");
  const file = await open(path, flags);
  try {
    return await digestOf(file, path, mostBytes, signal);
  } finally {
    await file.close();
  }
}

async function digestOf(
  file: FileHandle,
  path: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Reading> {
  const before = await file.stat();
  if (!before.isFile()) throw new Unreadable("it is no regular file");
  if (before.size > mostBytes) throw tooLarge(mostBytes);
  const digest = new ContentDigest(mostBytes);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunkBytes);
    if (bytesRead === 0) break;
    digest.add(chunk.subarray(0, bytesRead));
  }
  const after = await file.stat();
  // Folders on the way may have been exchanged between the look and the opening: what was opened must be what is there.
  const there = (await realpath(path).catch(() => "")) === path ? await stat(path) : undefined;
  const isSame = there?.ino === after.ino && there.dev === after.dev;
  if (!isSame || after.mtimeMs !== before.mtimeMs || after.size !== digest.bytes)
    throw new Unreadable("it was changed while it was read");
  return { digest: digest.text(), versionOrSha: after.mtime.toISOString() };
}

/** A version that this reader gave. Any other is one that somebody means. */
export function isTimeOfChange(version: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(version);
}
