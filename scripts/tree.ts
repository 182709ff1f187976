/** Where things are: every script names files relative to the root of the repository. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");

export function inTree(path: string, tree = root): string {
  return resolve(tree, path);
}

export function isInTree(path: string, tree = root): boolean {
  return existsSync(inTree(path, tree));
}

export function readJson<T>(path: string, tree = root): T {
  return JSON.parse(readFileSync(inTree(path, tree), "utf8")) as T;
}

/** Files that match, relative to the root, sorted, with forward slashes; never those of installed packages. */
export function findFiles(...patterns: readonly string[]): string[] {
  return findFilesIn(root, ...patterns);
}

/** The same below another folder, and relative to that. */
export function findFilesIn(tree: string, ...patterns: readonly string[]): string[] {
  const isInstalled = (path: string) => path === "node_modules" || path.endsWith("/node_modules");
  return globSync(patterns, { cwd: tree, exclude: isInstalled })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}
