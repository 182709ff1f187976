import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type AllowedWorkspaces, isAllowed } from "../evidence/allowed-workspaces.ts";
import type { ReadFrom } from "./read-ref.ts";
import { Unreadable } from "./unreadable.ts";

/** A path that was asked for, and the folders that it must not lead out of. */
export interface Place {
  readonly path: string;
  readonly within: AllowedWorkspaces;
  /** Where a git repository may lie that it belongs to. */
  readonly repositories: AllowedWorkspaces;
}

/**
 * Where a locator points: an absolute path below one of the folders that may be read, or a path in the workspace of the
 * task, which must lie in one of them itself and is not left.
 */
export async function placeOf(locator: string, from: ReadFrom, folders: AllowedWorkspaces): Promise<Place> {
  const path = pathOf(locator);
  if (isAbsolute(path)) return { path: resolve(path), within: folders, repositories: folders };
  return inWorkspace(path, from, folders);
}

/** A path that is not absolute. A place that the hub made may be read wherever it lies, and has a repository of its own. */
export async function inWorkspace(path: string, from: ReadFrom, folders: AllowedWorkspaces): Promise<Place> {
  const root = await workspaceRoot(from, folders);
  return { path: join(root, path), within: [root], repositories: from.ownPlace ? [root] : folders };
}

export async function workspaceRoot(
  { workspace, ownPlace }: ReadFrom,
  folders: AllowedWorkspaces,
): Promise<string> {
  const named = workspace?.path || workspace?.repository;
  if (!named)
    throw new Unreadable("the path is not absolute, and the task has no workspace where it could begin");
  const path = pathOf(named);
  if (!isAbsolute(path)) throw new Unreadable("the workspace of the task is no absolute path");
  return realPlace({ path, within: ownPlace ? "any" : folders });
}

/** Links are followed before anything is compared. What is not there and what may not be seen are told alike. */
export async function realPlace({ path, within }: Omit<Place, "repositories">): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && (await isAllowed(real, within))) return real;
  throw notThere(within);
}

/** The nearest folder above it that is there, and the way from it: for what a commit has and the disk may not. */
export async function nearestFolder(place: Place): Promise<{ folder: string; rest: string }> {
  for (let folder = dirname(place.path); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined && (await isAllowed(real, place.within)))
      return { folder: real, rest: relative(folder, place.path) };
    if (folder === dirname(folder)) throw notThere(place.within);
  }
}

function notThere(within: AllowedWorkspaces): Unreadable {
  if (within === "any") return new Unreadable("it is not there");
  return new Unreadable("it is not there, or lies in no folder that this hub may read");
}

function pathOf(locator: string): string {
  const path = /^file:/i.test(locator) ? pathOfUrl(locator) : locator;
  if (path === undefined || path.includes("\0")) throw new Unreadable("it is no path");
  return path;
}

function pathOfUrl(locator: string): string | undefined {
  try {
    return fileURLToPath(new URL(locator));
  } catch {
    return undefined;
  }
}
