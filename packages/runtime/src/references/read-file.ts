import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { ContentDigest, tooLarge } from "./content-digest.ts";
import type { Reading } from "./read-ref.ts";
import { type ReferencePath, realPathWithin } from "./resolve-path.ts";
import { Unreadable } from "./unreadable.ts";

/** Opening must not block, as for a pipe without a writer, and must not follow a link created meanwhile. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const chunkBytes = 65_536;

/** Reads a file from disk. Its version is the modification time. */
export async function readFile(
  target: ReferencePath,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Reading> {
  const path = await realPathWithin(target);
  if (!(await stat(path)).isFile()) throw new Unreadable("it is not a regular file");
  const file = await open(path, flags);
  try {
    return await digestOf(file, path, maxBytes, signal);
  } finally {
    await file.close();
  }
}

async function digestOf(
  file: FileHandle,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Reading> {
  const before = await file.stat();
  if (!before.isFile()) throw new Unreadable("it is not a regular file");
  if (before.size > maxBytes) throw tooLarge(maxBytes);
  const digest = new ContentDigest(maxBytes);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunkBytes);
    if (bytesRead === 0) break;
    digest.add(chunk.subarray(0, bytesRead));
  }
  const after = await file.stat();
  // Parent folders may have been replaced before the opening: the open file must be the one at the path.
  const current = (await realpath(path).catch(() => "")) === path ? await stat(path) : undefined;
  const isSame = current?.ino === after.ino && current.dev === after.dev;
  if (!isSame || after.mtimeMs !== before.mtimeMs || after.size !== digest.bytes)
    throw new Unreadable("it changed while it was read");
  return { digest: digest.text(), versionOrSha: after.mtime.toISOString() };
}

/** Whether a version was set by this reader; others name a revision. */
export function isModificationTime(version: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(version);
}
