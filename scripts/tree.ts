/** Where things are: every script names files relative to the root of the repository. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");

export function inTree(path: string): string {
  return resolve(root, path);
}

export function isInTree(path: string): boolean {
  return existsSync(inTree(path));
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(inTree(path), "utf8")) as T;
}

/** Files that match, relative to the root, sorted, with forward slashes; never those of installed packages. */
export function findFiles(...patterns: readonly string[]): string[] {
  const isInstalled = (path: string) => path === "node_modules" || path.endsWith("/node_modules");
  return globSync(patterns, { cwd: root, exclude: isInstalled })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** The contract exists once it can be built: a module description and at least one proto file. */
export function hasContract(): boolean {
  return isInTree("buf.yaml") && findFiles("proto/**/*.proto").length > 0;
}
