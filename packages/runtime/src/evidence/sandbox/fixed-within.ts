import { lstatSync, mkdirSync } from "node:fs";
import { extname } from "node:path";
import { isWithin } from "../allowed-workspaces.ts";

/**
 * What of the hub's configuration lies in a workspace. A hub reads it again when it changes, so whoever could write there
 * would say what the hub runs. A folder that is not there is made: nobody else makes it then. What is mounted can be neither
 * renamed nor removed; a link cannot be mounted, and is left alone.
 */
export function fixedWithin(fixed: readonly string[], directory: string): readonly string[] {
  return fixed.filter((path) => {
    if (path === directory || !isWithin(path, directory)) return false;
    const isFile = extname(path) !== "";
    if (!isFile) mkdirSync(path, { recursive: true });
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink();
  });
}
