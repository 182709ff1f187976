import { copyFile, link, lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Objects of an agent's history; more are not imported. */
const maxFiles = 100_000;

const packFile = /^pack-[0-9a-f]+\.(pack|idx)$/;
const looseFolder = /^[0-9a-f]{2}$/;
const looseFile = /^[0-9a-f]{38,62}$/;

/**
 * Links the objects that an agent stored into a new folder of the hub: regular files in regular folders alone. In the
 * agent's folder a link, or `info/alternates`, may name repositories of this machine that its sandbox hides, and git would
 * read them for it. False when there are too many.
 */
export async function takeObjects(from: string, to: string, maxBytes: number): Promise<boolean> {
  let files = 0;
  let bytes = 0;
  for (const folder of await readdir(from, { withFileTypes: true })) {
    const wanted = folder.name === "pack" ? packFile : looseFolder.test(folder.name) ? looseFile : undefined;
    if (!wanted || !folder.isDirectory()) continue;
    await mkdir(join(to, folder.name), { recursive: true });
    for (const file of await readdir(join(from, folder.name), { withFileTypes: true })) {
      if (!file.isFile() || !wanted.test(file.name)) continue;
      const path = join(from, folder.name, file.name);
      bytes += (await lstat(path)).size;
      if (++files > maxFiles || bytes > maxBytes) return false;
      const target = join(to, folder.name, file.name);
      await link(path, target).catch(() => copyFile(path, target)); // Some file systems have no links.
    }
  }
  return true;
}
