import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** Folders in which workspaces may lie, or any folder of the machine. */
export type AllowedWorkspaces = readonly string[] | "any";

export type FoundWorkspace =
  | { readonly ok: true; readonly directory: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Where a workspace really is. Links are followed before anything is compared, so that none leads out; what is run is
 * run at the place that was found.
 */
export async function findWorkspace(path: string, allowed: AllowedWorkspaces): Promise<FoundWorkspace> {
  // Whoever may not look there must not learn either what is there.
  const outside = {
    ok: false,
    reason: `the workspace "${path}" lies in none of the folders of evidence.workspaces`,
  } as const;
  const missing = {
    ok: false,
    reason: `the workspace "${path}" is no folder that the hub can reach`,
  } as const;
  const directory = await realpath(path).catch(() => undefined);
  if (allowed === "any")
    return directory !== undefined && (await isDirectory(directory)) ? { ok: true, directory } : missing;
  if (directory === undefined || !(await isAllowed(directory, allowed))) return outside;
  return (await isDirectory(directory)) ? { ok: true, directory } : missing;
}

/** Whether a path, whose links were followed, lies in one of the folders. */
export async function isAllowed(real: string, allowed: AllowedWorkspaces): Promise<boolean> {
  if (allowed === "any") return true;
  for (const folder of allowed) {
    const root = await realpath(folder).catch(() => undefined);
    if (root !== undefined && isWithin(real, root)) return true;
  }
  return false;
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
