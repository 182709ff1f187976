import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ProjectPlaces, packFile } from "./places.ts";

/** What the file system says of the files of a project, without reading them. */
export interface Signature {
  /** Another one when a file was written, replaced, added or removed. */
  readonly text: string;
  /** Of the youngest of them. */
  readonly newestMs: number;
}

export async function readSignature(places: ProjectPlaces): Promise<Signature> {
  const { routingPolicy, pipelineTemplates, redactionPolicy, packs } = places;
  const names = await readdir(packs.path).catch(() => []);
  const paths = [
    ...[routingPolicy.path, pipelineTemplates.path, redactionPolicy.path],
    ...names.toSorted().map((name) => join(packs.path, name, packFile)),
  ];
  const seen = await Promise.all(paths.map(lookAt));
  return {
    text: seen.map(({ text }) => text).join("\n"),
    newestMs: Math.max(0, ...seen.map(({ changedMs }) => changedMs)),
  };
}

/** An editor that replaces a file gives it another inode, and one that writes into it another time and size. */
async function lookAt(path: string): Promise<{ readonly text: string; readonly changedMs: number }> {
  try {
    const { ino, size, mtimeNs, ctimeNs, mtimeMs } = await stat(path, { bigint: true });
    return { text: [path, ino, size, mtimeNs, ctimeNs].join(" "), changedMs: Number(mtimeMs) };
  } catch {
    return { text: `${path} is not there`, changedMs: 0 };
  }
}
