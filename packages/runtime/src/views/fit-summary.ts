import type { Artifact, Decision, PipelineSummary } from "@baton/contract";

/** Maximum characters of the lists in a summary, which also appears in lists of runs. */
export const summaryCharacters: number = 64 * 1024;

/** Overhead of one item. */
const itemOverhead = 32;

/** Truncates the lists of a summary. Results of stages have the rest. */
export function fitSummary(summary: PipelineSummary): PipelineSummary {
  let remaining = summaryCharacters;
  let leftOut = 0;
  const fits = (characters: number) => {
    const isFitting = characters + itemOverhead <= remaining;
    if (isFitting) remaining -= characters + itemOverhead;
    else leftOut++;
    return isFitting;
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
