import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { checkPath } from "./path-inside.ts";

export type OpenedInside =
  | { readonly ok: true; readonly file: FileHandle; readonly bytes: number }
  | { readonly ok: false; readonly missing: boolean; readonly reason: string };

/**
 * Opens a file that an agent named, below its folder, for reading. Nothing outside of the folder is ever read through it:
 * links are not followed, neither of the file nor of a folder on the way, also none that is put there meanwhile. What is
 * opened is looked at again after it is open: the same file has to lie there, under exactly this name.
 */
export async function openInside(folder: string, path: string): Promise<OpenedInside> {
  const checked = checkPath(path);
  if (!checked.ok) return refused(checked.reason);
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return refused("its folder is not there");
  const place = join(root, ...checked.parts);
  let file: FileHandle;
  try {
    // A pipe would be waited for; whoever opens it this way is not.
    file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return whyNotOpened(error);
  }
  try {
    const opened = await file.stat({ bigint: true });
    const real = await realpath(place);
    if (real !== place) return await closed(file, "it leads elsewhere by a link, or is written otherwise");
    const there = await stat(real, { bigint: true });
    if (there.ino !== opened.ino || there.dev !== opened.dev)
      return await closed(file, "it was exchanged while it was opened");
    if (!opened.isFile()) return await closed(file, "it is no file");
    return { ok: true, file, bytes: Number(opened.size) };
  } catch (error) {
    await file.close();
    return whyNotOpened(error);
  }
}

function whyNotOpened(error: unknown): OpenedInside {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return { ok: false, missing: true, reason: "it is not there" };
  if (code === "ELOOP" || code === "EMLINK") return refused("it is a link");
  return refused(`it cannot be opened (${String(code)})`);
}

async function closed(file: FileHandle, reason: string): Promise<OpenedInside> {
  await file.close();
  return refused(reason);
}

function refused(reason: string): OpenedInside {
  return { ok: false, missing: false, reason };
}
