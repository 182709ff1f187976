import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isWithin } from "../../../evidence/allowed-workspaces.ts";
import { findProgram, installation, programFolders } from "../../../evidence/sandbox/find-program.ts";

/** The program of a pack, and the folders without which it does not run. */
export function findAgentProgram(
  name: string,
  directory: string,
  path: string,
): { readonly file: string; readonly needs: readonly string[] } {
  const isPath = name.includes("/");
  const file = isPath ? resolve(directory, name) : undefined;
  // What the workspace holds is the agent's: it leads nowhere else.
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
  // A folder that holds the home is not shown, so that of such a folder the program alone is.
  const isAlone = isWithin(homedir(), dirname(found.file));
  return isAlone ? { file: real, needs: [...needs, real] } : { file: found.file, needs };
}

/** A program that was installed by npm needs the packages beside its own. */
function packageOf(real: string): readonly string[] {
  const [before, ...rest] = real.split(`${sep}node_modules${sep}`);
  return rest.length === 0 ? [] : [join(before ?? "", "node_modules")];
}

/** What a pack may read: its folder, packages that its scripts import, its list, the Node of the hub, and its own PATH. */
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

/** Where Node looks for packages that a script in this folder imports. */
function packagesAround(folder: string): readonly string[] {
  const found: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const packages = join(at, "node_modules");
    if (existsSync(packages)) found.push(packages);
  }
  return found;
}
