import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";

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
  if (allowed === "any") {
    if (directory === undefined || !(await isDirectory(directory))) return missing;
    return (await isPersonal(directory)) ? personal(path) : { ok: true, directory };
  }
  if (directory === undefined || !(await isAllowed(directory, allowed))) return outside;
  return (await isDirectory(directory)) ? { ok: true, directory } : missing;
}

/** Where logins and keys of people and programs are, below a home. */
const logins = [
  ...[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config", ".claude", ".codex", ".gemini"],
];

/**
 * The home itself, what holds it, and where logins are in it. Whoever may submit a task could read them by a command of its
 * contract; somebody who really works there names the folder in evidence.workspaces.
 */
async function isPersonal(directory: string): Promise<boolean> {
  const home = await realpath(homedir()).catch(() => homedir());
  if (home === "/") return false;
  return isWithin(home, directory) || logins.some((name) => isWithin(directory, join(home, name)));
}

function personal(path: string): FoundWorkspace {
  const reason = `the workspace "${path}" is the home of the hub's user, or holds logins; name a folder of a project, or add it to evidence.workspaces`;
  return { ok: false, reason };
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
