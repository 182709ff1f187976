import type { Artifact } from "@baton/contract";
import type { VerifiedArtifact } from "@baton/kernel";
import { digestInside } from "./digest-inside.ts";
import { checkPath } from "./path-inside.ts";
import type { WorkspaceSettings } from "./settings.ts";

/** What there really is of the files that an agent says it made. */
export async function lookAtArtifacts(
  folder: string,
  artifacts: readonly Artifact[],
  { mostArtifacts, mostArtifactBytes }: Pick<WorkspaceSettings, "mostArtifacts" | "mostArtifactBytes">,
  signal: AbortSignal,
): Promise<readonly VerifiedArtifact[]> {
  const paths = [...new Set(artifacts.map(({ path }) => path))];
  const seen: VerifiedArtifact[] = [];
  for (const [place, path] of paths.entries()) {
    const named = checkPath(path);
    if (!named.ok) seen.push({ path, state: "outside", reason: named.reason });
    else if (place >= mostArtifacts)
      seen.push({ path, state: "unread", reason: `${mostArtifacts} files are looked at, and no more are` });
    else {
      const read = await digestInside(folder, path, mostArtifactBytes, signal);
      if (read.ok) seen.push({ path, state: "there", digest: read.digest });
      else if (read.missing) seen.push({ path, state: "missing" });
      else seen.push({ path, state: "unread", reason: read.reason });
    }
  }
  return seen;
}
