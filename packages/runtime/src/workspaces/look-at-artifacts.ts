import type { Artifact } from "@baton/contract";
import type { VerifiedArtifact } from "@baton/kernel";
import { digestInside } from "./digest-inside.ts";
import { checkPath } from "./path-inside.ts";
import type { WorkspaceSettings } from "./settings.ts";

export type ArtifactLimits = Pick<
  WorkspaceSettings,
  "mostArtifacts" | "mostArtifactBytes" | "mostArtifactsBytes" | "artifactsMs"
>;

/** What there really is of the files that an agent says it made. Those beyond a limit count as not read. */
export async function lookAtArtifacts(
  folder: string,
  artifacts: readonly Artifact[],
  { mostArtifacts, mostArtifactBytes, mostArtifactsBytes, artifactsMs }: ArtifactLimits,
  signal: AbortSignal,
): Promise<readonly VerifiedArtifact[]> {
  const paths = [...new Set(artifacts.map(({ path }) => path))];
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(artifactsMs)]);
  let leftBytes = mostArtifactsBytes;
  const look = async (path: string): Promise<VerifiedArtifact> => {
    const most = Math.min(mostArtifactBytes, leftBytes);
    const read = await digestInside(folder, path, most, inTime);
    if (read.ok) {
      leftBytes -= read.bytes;
      return { path, state: "there", digest: read.digest };
    }
    if (read.missing) return { path, state: "missing" };
    if (!read.tooLarge || most === mostArtifactBytes) return unread(path, read.reason);
    return unread(path, `${mostArtifactsBytes} bytes are read of all files together, and no more are`);
  };
  const seen: VerifiedArtifact[] = [];
  for (const [place, path] of paths.entries()) {
    const named = checkPath(path);
    if (!named.ok) seen.push({ path, state: "outside", reason: named.reason });
    else if (place >= mostArtifacts)
      seen.push(unread(path, `${mostArtifacts} files are looked at, and no more are`));
    else {
      const found = inTime.aborted ? undefined : await look(path).catch(unlessLate(inTime));
      signal.throwIfAborted();
      seen.push(found ?? unread(path, `the ${artifactsMs / 1_000} s for looking at all files are over`));
    }
  }
  return seen;
}

function unread(path: string, reason: string): VerifiedArtifact {
  return { path, state: "unread", reason };
}

function unlessLate(inTime: AbortSignal) {
  return (error: unknown): undefined => {
    if (!inTime.aborted) throw error;
  };
}
