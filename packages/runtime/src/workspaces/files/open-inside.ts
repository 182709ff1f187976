import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { checkPath } from "./check-path.ts";

export type OpenedInside =
  | { readonly ok: true; readonly file: FileHandle; readonly bytes: number }
  | { readonly ok: false; readonly missing: boolean; readonly reason: string };

/**
 * Opens a file below a folder for reading, by a path that an agent reported. It never reads outside of the folder:
 * links are not followed, in the file or its parents, even if created meanwhile. After opening, the path must still
 * resolve to the same file under exactly this name.
 */
export async function openInside(folder: string, path: string): Promise<OpenedInside> {
  const checked = checkPath(path);
  if (!checked.ok) return refused(checked.reason);
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return refused("its folder does not exist");
  const target = join(root, ...checked.parts);
  let file: FileHandle;
  try {
    // Without O_NONBLOCK, opening a pipe would block.
    file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return openFailure(error);
  }
  try {
    const opened = await file.stat({ bigint: true });
    const real = await realpath(target);
    if (real !== target)
      return await closeAndRefuse(file, "its path contains a link, or is spelled differently");
    const current = await stat(real, { bigint: true });
    if (current.ino !== opened.ino || current.dev !== opened.dev)
      return await closeAndRefuse(file, "it was replaced while it was opened");
    if (!opened.isFile()) return await closeAndRefuse(file, "it is not a file");
    return { ok: true, file, bytes: Number(opened.size) };
  } catch (error) {
    await file.close();
    return openFailure(error);
  }
}

function openFailure(error: unknown): OpenedInside {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR")
    return { ok: false, missing: true, reason: "it does not exist" };
  if (code === "ELOOP" || code === "EMLINK") return refused("it is a link");
  return refused(`it cannot be opened (${String(code)})`);
}

async function closeAndRefuse(file: FileHandle, reason: string): Promise<OpenedInside> {
  await file.close();
  return refused(reason);
}

function refused(reason: string): OpenedInside {
  return { ok: false, missing: false, reason };
}
