import { copyFile, mkdir, readlink, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
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
  /** Where agents can write. */
  readonly written: readonly string[];
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
  written,
}: HomeRequest): Promise<readonly HomeEntry[]> {
  const entries: HomeEntry[] = [];
  const wanted = [
    ...read.filter((path) => !write.includes(path)).map((path) => ({ path, writable: false })),
    ...write.map((path) => ({ path, writable: true })),
  ].toSorted((one, other) => one.path.length - other.path.length);
  const [kept, untrusted] = await Promise.all([hidden, written].map(realPaths));
  for (const { path, writable } of wanted) {
    const source = await realpath(join(from, path)).catch(() => undefined);
    if (source === undefined) continue;
    if (await passesLinkIn(untrusted ?? [], join(from, path)))
      throw new NotDelivered(`its pack lists "${path}" of the home, where an agent may have made a link`);
    if (kept?.some((one) => isWithin(source, one) || isWithin(one, source)))
      throw new NotDelivered(`its pack lists "${path}" of the home, which holds data or keys of the hub`);
    const found = await stat(source);
    if (!writable && found.isFile() && found.size <= maxCopiedBytes) {
      await mkdir(dirname(join(target, path)), { recursive: true });
      await copyFile(source, join(target, path));
    } else entries.push({ from: source, path, writable });
  }
  return entries;
}

function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

const maxLinks = 40;

/** Whether a path leads over a link in one of these folders: who can write there decides where it leads. */
async function passesLinkIn(folders: readonly string[], path: string): Promise<boolean> {
  const rest = path.split("/").reverse();
  let at = "/";
  let links = 0;
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    const next = join(at, name);
    const target = await readlink(next).catch(() => undefined);
    if (target === undefined) at = next;
    else {
      if (++links > maxLinks || folders.some((folder) => isWithin(at, folder))) return true;
      if (isAbsolute(target)) at = "/";
      rest.push(...target.split("/").reverse());
    }
  }
  return false;
}
