import { copyFile, mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isWithin } from "../../../processes/allowed-workspaces.ts";
import type { HomeEntry } from "../../../processes/sandbox/sandbox.ts";
import { NotDelivered } from "../../push/agent-calls.ts";

export interface HomeRequest {
  /** The home of the user. */
  readonly from: string;
  /** The home of the attempt, removed after it. */
  readonly target: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hidden: readonly string[];
}

const maxCopiedBytes = 16 * 1024 * 1024;

/**
 * Provides entries of the user's home in that of an attempt. A read-only file is a copy: many programs rewrite their state,
 * and the changes go with the attempt. Folders are mounted. Missing entries are left out.
 */
export async function bringHome({
  from,
  target,
  read,
  write,
  hidden,
}: HomeRequest): Promise<readonly HomeEntry[]> {
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
    if (!writable && found.isFile() && found.size <= maxCopiedBytes) {
      await mkdir(dirname(join(target, path)), { recursive: true });
      await copyFile(source, join(target, path));
    } else entries.push({ from: source, path, writable });
  }
  return entries;
}
