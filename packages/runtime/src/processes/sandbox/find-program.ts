import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../allowed-workspaces.ts";
import type { Program } from "./sandbox.ts";

export type FoundProgram =
  | { readonly ok: true; readonly file: string; readonly needs: Program["needs"] }
  | { readonly ok: false; readonly reason: string };

/**
 * Resolves a program by its path in the workspace or its name on the hub's PATH. Failures are described in words
 * instead of a system error code.
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
    if (found !== notFound) fault = found;
  }
  return { ok: false, reason: `"${name}" ${fault}` };
}

/** The first executable of this name on PATH. */
export function findOnPath(name: string, path = process.env.PATH ?? ""): string | undefined {
  return foldersOf(path)
    .map((folder) => join(folder, name))
    .find((file) => faultOf(file) === undefined);
}

/** Relative folders are ignored: they would differ for each workspace. */
function foldersOf(path: string): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

const notFound = "does not exist";

function faultOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return notFound;
  if (!found.isFile()) return "is not a file";
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch {
    return "is not executable";
  }
}

/** The program and the folders of its installation, by its name and its real path. */
function real(file: string, directory: string): { readonly file: string; readonly needs: readonly string[] } {
  // A program inside the workspace needs nothing outside.
  if (isWithin(file, directory)) return { file, needs: [] };
  return { file, needs: [...installation(dirname(file)), ...installation(dirname(realpathSync(file)))] };
}

/** All folders of PATH with their installations, where commands find further programs. */
export function programFolders(path = process.env.PATH ?? ""): readonly string[] {
  return foldersOf(path).flatMap(installation);
}

/** A folder of programs and the libraries installed beside it. */
export function installation(folder: string): readonly string[] {
  if (basename(folder) !== "bin") return [folder];
  const prefix = dirname(folder);
  return [folder, join(prefix, "lib"), join(prefix, "libexec")];
}
