import { type AgentResult, ArtifactAction } from "@baton/contract";

export interface SeenFile {
  readonly path: string;
  readonly action: ArtifactAction;
}

/**
 * Files that git reports as new and the agent as changed, or vice versa: agents often state only a path. A false claim of
 * deletion is left to the gate, which disproves it.
 */
export function differingFiles(
  { artifacts }: AgentResult,
  changed: readonly SeenFile[],
): readonly SeenFile[] {
  if (artifacts.length === 0 || changed.length === 0) return [];
  const seen = new Map(changed.map(({ path, action }) => [path, action]));
  return artifacts.flatMap(({ path, action }) => {
    const found = seen.get(path);
    const isOther = found !== undefined && found !== action;
    return isOther && action !== deleted && found !== deleted ? [{ path, action: found }] : [];
  });
}

const deleted = ArtifactAction.DELETED;

export function withSeenFiles(result: AgentResult, files: readonly SeenFile[]): AgentResult {
  const seen = new Map(files.map(({ path, action }) => [path, action]));
  const artifacts = result.artifacts.map((artifact) => {
    const action = seen.get(artifact.path);
    return action === undefined ? artifact : { ...artifact, action };
  });
  return { ...result, artifacts };
}
