import type { VerifiedArtifact } from "@baton/kernel";
import { git } from "./git.ts";
import { findRepository } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/** Says of files that are there whether they were kept as well: what git ignores goes with the place, and nobody gets it. */
export async function onlyKept(
  { settings }: WorkspaceParts,
  repository: string,
  commit: string,
  artifacts: readonly VerifiedArtifact[],
  signal: AbortSignal,
): Promise<readonly VerifiedArtifact[]> {
  const there = artifacts.filter(({ state }) => state === "there");
  if (there.length === 0) return artifacts;
  const found = await findRepository(repository, settings.allowed, signal);
  if (!found.ok) return artifacts;
  const args = [`--git-dir=${found.repository.gitDir}`, "cat-file", "--batch-check=%(objecttype)"];
  const input = there.map(({ path }) => `${commit}:${path}\n`).join("");
  const run = await git({ args, input }, signal);
  if (!run.ok) return artifacts;
  const lines = run.output.split("\n");
  const unkept = new Set(there.filter((_, place) => lines[place] !== "blob").map(({ path }) => path));
  return artifacts.map((artifact) =>
    unkept.has(artifact.path) ? { path: artifact.path, state: "unkept" } : artifact,
  );
}
