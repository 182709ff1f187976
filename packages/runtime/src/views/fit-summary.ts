import type { Artifact, Decision, PipelineSummary } from "@baton/contract";

/** Characters of what all stages together made, decided and saw, as it is shown beside the pipeline, also in lists. */
export const summaryCharacters: number = 64 * 1024;

/** What one item takes besides its texts. */
const around = 32;

/** What came of a pipeline, with as much of its lists as is shown in one place. The stages' results have the rest. */
export function fitSummary(summary: PipelineSummary): PipelineSummary {
  let room = summaryCharacters;
  let leftOut = 0;
  const fits = (characters: number) => {
    const isRoom = characters + around <= room;
    if (isRoom) room -= characters + around;
    else leftOut++;
    return isRoom;
  };
  const artifacts = summary.artifacts.filter((artifact) => fits(ofArtifact(artifact)));
  const decisions = summary.decisions.filter((decision) => fits(ofDecision(decision)));
  const risks = summary.risks.filter((risk) => fits(risk.length));
  return leftOut === 0 ? summary : { ...summary, artifacts, decisions, risks, leftOut };
}

function ofArtifact({ path, digest }: Artifact): number {
  return path.length + digest.length;
}

function ofDecision(decision: Decision): number {
  return Object.values(decision).reduce(
    (sum, value) => sum + (typeof value === "string" ? value.length : 0),
    0,
  );
}
