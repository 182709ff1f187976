import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isWithin } from "../../../processes/allowed-workspaces.ts";
import { findProgram, installation, programFolders } from "../../../processes/sandbox/find-program.ts";

/** The program of a pack, and the folders that it needs to run. */
export function findAgentProgram(
  name: string,
  directory: string,
  path: string,
): { readonly file: string; readonly needs: readonly string[] } {
  const isPath = name.includes("/");
  const file = isPath ? resolve(directory, name) : undefined;
  // A program in the workspace needs nothing outside of it.
  if (file !== undefined && !isAbsolute(name) && isWithin(file, directory)) {
    if (!existsSync(file)) throw new Error(`there is no program "${name}"`);
    return { file, needs: [] };
  }
  const found = isPath
    ? { ok: existsSync(name), file: name, needs: installation(dirname(name)) }
    : findProgram(name, directory, path);
  if (!found.ok) throw new Error(`there is no program "${name}"`);
  const real = realpathSync(found.file);
  const needs = [...found.needs, ...installation(dirname(real)), ...packageOf(real)];
  // A folder that contains the home is not mounted: then only the program itself is.
  const isAlone = isWithin(homedir(), dirname(found.file));
  return isAlone ? { file: real, needs: [...needs, real] } : { file: found.file, needs };
}

/** A program installed by npm needs its sibling packages. */
function packageOf(real: string): readonly string[] {
  const [before, ...rest] = real.split(`${sep}node_modules${sep}`);
  return rest.length === 0 ? [] : [join(before ?? "", "node_modules")];
}

/** Readable for a pack: its folder, packages that its scripts import, its list, the Node of the hub, and its PATH. */
export function packFolders({
  folder,
  readable,
  path,
}: {
  readonly folder: string | undefined;
  readonly readable: readonly string[];
  readonly path: string;
}): readonly string[] {
  const node = realpathSync(process.execPath);
  return [
    ...(folder === undefined ? [] : [folder, ...packagesAround(folder)]),
    ...readable.map((one) => resolve(folder ?? "/", one)),
    ...installation(dirname(process.execPath)),
    ...installation(dirname(node)),
    ...programFolders(path),
  ];
}

/**
 * The folders in which Node looks for packages of a script in this folder. An agent that works in one of the folders around
 * it can make a link of that name, which must lead to packages.
 */
function packagesAround(folder: string): readonly string[] {
  const found: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const packages = join(at, "node_modules");
    if (existsSync(packages) && basename(realpathSync(packages)) === "node_modules") found.push(packages);
  }
  return found;
}
