import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";

/** Folders that may contain workspaces, or any folder. */
export type AllowedWorkspaces = readonly string[] | "any";

export type FoundWorkspace =
  | { readonly ok: true; readonly directory: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Resolves the real path of a workspace. Links are followed before the comparison, so that none leads outside; commands
 * run at the returned path.
 */
export async function findWorkspace(path: string, allowed: AllowedWorkspaces): Promise<FoundWorkspace> {
  // One reason for all, so that callers cannot probe for files outside.
  const outside = {
    ok: false,
    reason: `the workspace "${path}" is outside the folders of evidence.workspaces`,
  } as const;
  const missing = {
    ok: false,
    reason: `the hub cannot read the workspace folder "${path}"`,
  } as const;
  const directory = await realpath(path).catch(() => undefined);
  if (allowed === "any") {
    if (directory === undefined || !(await isDirectory(directory))) return missing;
    return (await isPersonal(directory)) ? personal(path) : { ok: true, directory };
  }
  if (directory === undefined || !(await isAllowed(directory, allowed))) return outside;
  return (await isDirectory(directory)) ? { ok: true, directory } : missing;
}

/** Folders of credentials below a home. */
const credentialFolders = [
  ...[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config", ".claude", ".codex", ".gemini"],
];

/**
 * Whether it is the home, a parent of it, or a folder of credentials. A submitter could read credentials with a command
 * of the contract; operators who need such a folder list it in evidence.workspaces.
 */
async function isPersonal(directory: string): Promise<boolean> {
  const home = await realpath(homedir()).catch(() => homedir());
  if (home === "/") return false;
  return isWithin(home, directory) || isCredential(directory, home);
}

/** Whether it is in a folder of credentials below the home. */
export function isCredential(path: string, home = homedir()): boolean {
  return credentialFolders.some((name) => isWithin(path, join(home, name)));
}

function personal(path: string): FoundWorkspace {
  const reason = `the workspace "${path}" is the home of the hub's user, or holds logins; name a folder of a project, or add it to evidence.workspaces`;
  return { ok: false, reason };
}

/** Whether a real path is in one of the folders. */
export async function isAllowed(real: string, allowed: AllowedWorkspaces): Promise<boolean> {
  if (allowed === "any") return true;
  for (const folder of allowed) {
    const root = await realpath(folder).catch(() => undefined);
    if (root !== undefined && isWithin(real, root)) return true;
  }
  return false;
}

export function isWithin(path: string, folder: string): boolean {
  const relativePath = relative(folder, path);
  return (
    relativePath === "" ||
    (relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
  );
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
