import { copyFile, mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin } from "../../../evidence/allowed-workspaces.ts";
import type { HomeEntry } from "../../../evidence/sandbox/sandbox.ts";
import { NotDelivered } from "../../push/agent-calls.ts";

export interface HomeWish {
  /** The user's home. */
  readonly from: string;
  /** The home of the attempt, which is gone after it. */
  readonly target: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hidden: readonly string[];
}

const mostCopiedBytes = 16 * 1024 * 1024;

/**
 * Brings entries of the user's home into that of an attempt. A file that may only be read is a copy: many programs rewrite
 * their state, and what they change is gone with the attempt. Folders are mounted. What is not there is left out.
 */
export async function bringHome({
  from,
  target,
  read,
  write,
  hidden,
}: HomeWish): Promise<readonly HomeEntry[]> {
  const entries: HomeEntry[] = [];
  const wanted = [
    ...read.filter((path) => !write.includes(path)).map((path) => ({ path, writable: false })),
    ...write.map((path) => ({ path, writable: true })),
  ].toSorted((one, other) => one.path.length - other.path.length);
  const kept = await Promise.all(hidden.map((path) => realpath(path).catch(() => path)));
  for (const { path, writable } of wanted) {
    const source = await realpath(join(from, path)).catch(() => undefined);
    if (source === undefined) continue;
    if (kept.some((one) => isWithin(source, one) || isWithin(one, source)))
      throw new NotDelivered(`its pack lists "${path}" of the home, which holds data or keys of the hub`);
    const found = await stat(source);
    if (!writable && found.isFile() && found.size <= mostCopiedBytes) {
      await mkdir(dirname(join(target, path)), { recursive: true });
      await copyFile(source, join(target, path));
    } else entries.push({ from: source, path, writable });
  }
  return entries;
}
