import { mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Dependency } from "../ports/outside.ts";
import { runCommand } from "./run-command.ts";
import type { Sandbox, Shown } from "./sandbox/sandbox.ts";

/** Where a folder has more entries than this it is shown as a whole: each that is shown alone costs time. */
const mostEntries = 500;

/** Tools write to these while they run, and nobody depends on what is in them. */
const caches = new Set([".cache", ".vite", ".vite-temp", ".vitest"]);

/**
 * Lets commands find the folders that they depend on. Bubblewrap shows them without letting them be changed, entry by
 * entry, so that tools can put their caches beside. Elsewhere they are copied: a link would lead back to the user's own
 * checkout, and a command that writes through it would change that.
 */
export async function provideDependencies(
  dependencies: readonly Dependency[],
  sandbox: Sandbox,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (const { name, from, to } of dependencies) {
    if (sandbox.kind === "bubblewrap") shown.push(...(await showEntries(from, to)));
    else {
      await mkdir(dirname(to), { recursive: true });
      const spec = { file: "cp", args: ["-RPp", from, to], directory: dirname(to) };
      const { exitCode, output } = await runCommand(spec, { timeoutMs, outputBytes: 1_000 }, signal);
      signal.throwIfAborted();
      if (exitCode !== 0) throw new Error(`"${name}" cannot be copied for the commands: ${output}`);
    }
  }
  return shown;
}

async function showEntries(from: string, to: string): Promise<readonly Shown[]> {
  const entries = await readdir(from, { withFileTypes: true });
  if (entries.length > mostEntries) return [{ from, to }];
  await mkdir(to, { recursive: true });
  const shown: Shown[] = [];
  for (const entry of entries) {
    if (caches.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // A link among packages leads from one part of the repository to another: here to that of the commit.
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isDirectory() || entry.isFile()) shown.push({ from: source, to: target });
  }
  return shown;
}
