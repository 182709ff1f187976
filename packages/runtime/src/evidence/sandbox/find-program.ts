import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../allowed-workspaces.ts";
import type { Program } from "./sandbox.ts";

export type FoundProgram =
  | { readonly ok: true; readonly file: string; readonly needs: Program["needs"] }
  | { readonly ok: false; readonly reason: string };

/**
 * The program that a command names: by its path in the workspace, or by its name on the hub's PATH. What is not there, or
 * is no program, is told in words instead of by the number of a system call.
 */
export function findProgram(name: string, directory: string, path = process.env.PATH ?? ""): FoundProgram {
  if (name.includes("/")) {
    const file = resolve(directory, name);
    const fault = faultOf(file);
    return fault ? { ok: false, reason: `"${name}" ${fault}` } : { ok: true, file, needs: [] };
  }
  let fault = "is not on the hub's PATH";
  for (const folder of foldersOf(path)) {
    const file = join(folder, name);
    const found = faultOf(file);
    if (found === undefined) return { ok: true, ...real(file, directory) };
    if (found !== missing) fault = found;
  }
  return { ok: false, reason: `"${name}" ${fault}` };
}

/** The first program of a name that is on PATH. */
export function findOnPath(name: string, path = process.env.PATH ?? ""): string | undefined {
  return foldersOf(path)
    .map((folder) => join(folder, name))
    .find((file) => faultOf(file) === undefined);
}

/** A relative folder would be another one in every workspace. */
function foldersOf(path: string): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

const missing = "is not there";

function faultOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return missing;
  if (!found.isFile()) return "is no file";
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch {
    return "is not executable";
  }
}

/** The program as it is called, and where it really is with what was installed beside it. */
function real(file: string, directory: string): { readonly file: string; readonly needs: readonly string[] } {
  // A folder of PATH that is the agent's to write to leads nowhere else: what it holds is used as it stands.
  if (isWithin(file, directory)) return { file, needs: [] };
  return { file, needs: [...installation(dirname(file)), ...installation(dirname(realpathSync(file)))] };
}

/** Every folder of PATH with what was installed beside it: what a command starts is looked for there too. */
export function programFolders(path = process.env.PATH ?? ""): readonly string[] {
  return foldersOf(path).flatMap(installation);
}

/** A folder of programs, and what was installed beside it. */
export function installation(folder: string): readonly string[] {
  if (basename(folder) !== "bin") return [folder];
  const prefix = dirname(folder);
  return [folder, join(prefix, "lib"), join(prefix, "libexec")];
}
