import { mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Dependency } from "../ports/outside.ts";
import { runCommand } from "../processes/run-command.ts";
import type { BindMount, Sandbox } from "../processes/sandbox/sandbox.ts";

/** Folders with more entries are mounted as a whole, because every mount takes time. */
const maxEntries = 500;

/** Tools write to these folders while they run; no command depends on their content. */
const caches = new Set([".cache", ".vite", ".vite-temp", ".vitest"]);

/**
 * Makes dependencies available to commands. Bubblewrap mounts them read-only, entry by entry, so that tools can create
 * caches beside them. Other sandboxes copy them: through a link, a command could change the user's checkout.
 */
export async function provideDependencies(
  dependencies: readonly Dependency[],
  sandbox: Sandbox,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly BindMount[]> {
  const mounts: BindMount[] = [];
  for (const { name, from, to } of dependencies) {
    if (sandbox.kind === "bubblewrap") mounts.push(...(await mountEntries(from, to)));
    else {
      await mkdir(dirname(to), { recursive: true });
      const spec = { file: "cp", args: ["-RPp", from, to], directory: dirname(to) };
      const { exitCode, output } = await runCommand(spec, { timeoutMs, outputBytes: 1_000 }, signal);
      signal.throwIfAborted();
      if (exitCode !== 0) throw new Error(`"${name}" cannot be copied for the commands: ${output}`);
    }
  }
  return mounts;
}

async function mountEntries(from: string, to: string): Promise<readonly BindMount[]> {
  const entries = await readdir(from, { withFileTypes: true });
  if (entries.length > maxEntries) return [{ from, to }];
  await mkdir(to, { recursive: true });
  const mounts: BindMount[] = [];
  for (const entry of entries) {
    if (caches.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // Links between packages of the repository must lead to those of the commit.
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isDirectory() || entry.isFile()) mounts.push({ from: source, to: target });
  }
  return mounts;
}
