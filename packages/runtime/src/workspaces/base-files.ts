import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { git } from "./git.ts";
import { textOf } from "./repository.ts";

/**
 * Puts files of a fresh checkout as another commit has them, and removes those that it does not have. Of a `package.json`
 * only the scripts are taken from there: what the change depends on stays. Gives the files that are different then, or why
 * it could not.
 */
export async function layBase(
  directory: string,
  base: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | string> {
  if (paths.length === 0) return [];
  const manifests = paths.filter((path) => basename(path) === "package.json");
  const files = paths.filter((path) => basename(path) !== "package.json");
  const input = files.map((path) => `${base}:${path}\n`).join("");
  const asked = await git({ args: ["cat-file", "--batch-check=%(objecttype)"], directory, input }, signal);
  if (!asked.ok) return asked.reason;
  const kinds = asked.output.split("\n");
  for (const [at, path] of files.entries())
    if (kinds[at] !== "blob") await rm(join(directory, path), { recursive: true, force: true });
  const there = files.filter((_, at) => kinds[at] === "blob");
  if (there.length > 0) {
    const args = [
      "--literal-pathspecs",
      "checkout",
      "--quiet",
      base,
      "--pathspec-from-file=-",
      "--pathspec-file-nul",
    ];
    const laid = await git({ args, directory, input: there.join("\0") }, signal);
    if (!laid.ok) return laid.reason;
  }
  const laid = [...files];
  for (const path of manifests) if (await layScripts(directory, base, path, signal)) laid.push(path);
  return laid;
}

/** Whether they are different. */
async function layScripts(
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
