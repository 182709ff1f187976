import { lstat, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { git } from "./git.ts";
import { textOf } from "./repository.ts";

/**
 * Restores files of a checkout to the base commit, and deletes those that the base does not have. Of a `package.json`
 * only the scripts are restored, so that changed dependencies stay. Returns the files that differ then, or the reason
 * of the failure.
 */
export async function restoreBaseFiles(
  directory: string,
  base: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | string> {
  if (paths.length === 0) return [];
  const manifests = new Set<string>();
  for (const path of paths) if (await isManifest(directory, path)) manifests.add(path);
  const files = paths.filter((path) => !manifests.has(path));
  const input = files.map((path) => `${base}:${path}\n`).join("");
  const types = await git({ args: ["cat-file", "--batch-check=%(objecttype)"], directory, input }, signal);
  if (!types.ok) return types.reason;
  const objectTypes = types.output.split("\n");
  for (const [at, path] of files.entries())
    if (objectTypes[at] !== "blob") await rm(join(directory, path), { recursive: true, force: true });
  const existing = files.filter((_, at) => objectTypes[at] === "blob");
  if (existing.length > 0) {
    const args = [
      "--literal-pathspecs",
      "checkout",
      "--quiet",
      base,
      "--pathspec-from-file=-",
      "--pathspec-file-nul",
    ];
    const restored = await git({ args, directory, input: existing.join("\0") }, signal);
    if (!restored.ok) return restored.reason;
  }
  const restored = [...files];
  for (const path of manifests) if (await restoreScripts(directory, base, path, signal)) restored.push(path);
  return restored;
}

/**
 * A symbolic link is restored like any other file: the agent committed it, and following it would reach files outside
 * of every sandbox.
 */
async function isManifest(directory: string, path: string): Promise<boolean> {
  if (basename(path) !== "package.json") return false;
  const found = await lstat(join(directory, path)).catch(() => undefined);
  return found?.isFile() ?? true;
}

/** Whether the scripts differ. */
async function restoreScripts(
  directory: string,
  base: string,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const before = parse(
    textOf(await git({ args: ["cat-file", "blob", `${base}:${path}`], directory }, signal)),
  );
  const now = parse(await readFile(join(directory, path), "utf8").catch(() => undefined));
  if (!before || !now || JSON.stringify(before.scripts) === JSON.stringify(now.scripts)) return false;
  await writeFile(
    join(directory, path),
    `${JSON.stringify({ ...now, scripts: before.scripts }, undefined, 2)}\n`,
  );
  return true;
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
