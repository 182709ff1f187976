import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type AllowedWorkspaces, isAllowed } from "../processes/allowed-workspaces.ts";
import type { ReadFrom } from "./read-ref.ts";
import { Unreadable } from "./unreadable.ts";

/** A path, and the folders that contain it after following links. */
export interface ReferencePath {
  readonly path: string;
  readonly within: AllowedWorkspaces;
  /** Folders that may contain its git repository. */
  readonly repositories: AllowedWorkspaces;
}

/**
 * Resolves a locator: an absolute path in one of the readable folders, or a path relative to the task's workspace,
 * which must be in one of them and cannot be left.
 */
export async function resolveLocator(
  locator: string,
  source: ReadFrom,
  folders: AllowedWorkspaces,
): Promise<ReferencePath> {
  const path = pathOf(locator);
  if (isAbsolute(path)) return { path: resolve(path), within: folders, repositories: folders };
  return resolveInWorkspace(path, source, folders);
}

/** Resolves a relative path. A workspace of the hub may be read anywhere, and has its own repository. */
export async function resolveInWorkspace(
  path: string,
  source: ReadFrom,
  folders: AllowedWorkspaces,
): Promise<ReferencePath> {
  const root = await workspaceRoot(source, folders);
  return { path: join(root, path), within: [root], repositories: source.ownPlace ? [root] : folders };
}

export async function workspaceRoot(
  { workspace, ownPlace }: ReadFrom,
  folders: AllowedWorkspaces,
): Promise<string> {
  const named = workspace?.path || workspace?.repository;
  if (!named) throw new Unreadable("the path is relative, and the task has no workspace");
  const path = pathOf(named);
  if (!isAbsolute(path)) throw new Unreadable("the workspace of the task is not an absolute path");
  return realPathWithin({ path, within: ownPlace ? "any" : folders });
}

/** Follows links before the comparison. Missing and forbidden paths have the same error. */
export async function realPathWithin({ path, within }: Omit<ReferencePath, "repositories">): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && (await isAllowed(real, within))) return real;
  throw notThere(within);
}

/** The nearest existing parent and the rest of the path: a commit may have files that the disk lacks. */
export async function nearestFolder(target: ReferencePath): Promise<{ folder: string; rest: string }> {
  for (let folder = dirname(target.path); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined && (await isAllowed(real, target.within)))
      return { folder: real, rest: relative(folder, target.path) };
    if (folder === dirname(folder)) throw notThere(target.within);
  }
}

function notThere(within: AllowedWorkspaces): Unreadable {
  if (within === "any") return new Unreadable("it does not exist");
  return new Unreadable("it does not exist, or is outside the folders that the hub may read");
}

function pathOf(locator: string): string {
  const path = /^file:/i.test(locator) ? pathOfUrl(locator) : locator;
  if (path === undefined || path.includes("\0")) throw new Unreadable("it is not a path");
  return path;
}

function pathOfUrl(locator: string): string | undefined {
  try {
    return fileURLToPath(new URL(locator));
  } catch {
    return undefined;
  }
}
