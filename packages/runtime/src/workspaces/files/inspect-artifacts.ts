import type { Artifact } from "@baton/contract";
import type { VerifiedArtifact } from "@baton/kernel";
import { git } from "../git/git.ts";
import { findRepository } from "../git/repository.ts";
import type { WorkspaceParts, WorkspaceSettings } from "../settings.ts";
import { checkPath } from "./check-path.ts";
import { digestInside } from "./digest-inside.ts";

export type ArtifactLimits = Pick<
  WorkspaceSettings,
  "maxArtifacts" | "maxArtifactBytes" | "maxTotalArtifactBytes" | "artifactsMs"
>;

/** Digests the files that an agent reports. Files beyond a limit get the state "unread". */
export async function inspectArtifacts(
  folder: string,
  artifacts: readonly Artifact[],
  { maxArtifacts, maxArtifactBytes, maxTotalArtifactBytes, artifactsMs }: ArtifactLimits,
  signal: AbortSignal,
): Promise<readonly VerifiedArtifact[]> {
  const paths = [...new Set(artifacts.map(({ path }) => path))];
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(artifactsMs)]);
  let leftBytes = maxTotalArtifactBytes;
  const inspect = async (path: string): Promise<VerifiedArtifact> => {
    const limit = Math.min(maxArtifactBytes, leftBytes);
    const read = await digestInside(folder, path, limit, inTime);
    if (read.ok) {
      leftBytes -= read.bytes;
      return { path, state: "there", digest: read.digest };
    }
    if (read.missing) return { path, state: "missing" };
    if (!read.tooLarge || limit === maxArtifactBytes) return unread(path, read.reason);
    return unread(path, `all files together have more than ${maxTotalArtifactBytes} bytes`);
  };
  const results: VerifiedArtifact[] = [];
  for (const [index, path] of paths.entries()) {
    const checked = checkPath(path);
    if (!checked.ok) results.push({ path, state: "outside", reason: checked.reason });
    else if (index >= maxArtifacts) results.push(unread(path, `only ${maxArtifacts} files are checked`));
    else {
      const found = inTime.aborted ? undefined : await inspect(path).catch(ignoreTimeout(inTime));
      signal.throwIfAborted();
      results.push(found ?? unread(path, `checking all files took more than ${artifactsMs / 1_000} s`));
    }
  }
  return results;
}

function unread(path: string, reason: string): VerifiedArtifact {
  return { path, state: "unread", reason };
}

function ignoreTimeout(inTime: AbortSignal) {
  return (error: unknown): undefined => {
    if (!inTime.aborted) throw error;
  };
}

/** Sets the state "unkept" for existing files that the commit lacks: git ignores them, so nobody receives them. */
export async function markUncommitted(
  { settings }: WorkspaceParts,
  repository: string,
  commit: string,
  artifacts: readonly VerifiedArtifact[],
  signal: AbortSignal,
): Promise<readonly VerifiedArtifact[]> {
  const existing = artifacts.filter(({ state }) => state === "there");
  if (existing.length === 0) return artifacts;
  const found = await findRepository(repository, settings.allowed, signal);
  if (!found.ok) return artifacts;
  const args = [`--git-dir=${found.repository.gitDir}`, "cat-file", "--batch-check=%(objecttype)"];
  const input = existing.map(({ path }) => `${commit}:${path}\n`).join("");
  const run = await git({ args, input }, signal);
  if (!run.ok) return artifacts;
  const types = run.output.split("\n");
  const uncommitted = new Set(existing.filter((_, index) => types[index] !== "blob").map(({ path }) => path));
  return artifacts.map((artifact) =>
    uncommitted.has(artifact.path) ? { path: artifact.path, state: "unkept" } : artifact,
  );
}
