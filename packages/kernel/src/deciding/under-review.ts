import { type Pipeline, type Stage, StageStatus } from "@baton/contract/messages";
import { before } from "./consequences.ts";

/**
 * The stages whose work is reviewed with a stage: the stage itself if it changed something, else the nearest ones before it
 * that did, such as the branches of a diamond. A stage that reviews others usually changes nothing. If none changed
 * anything, the stage itself, whose answer is the work.
 */
export function stagesUnderReview({ stages }: Pick<Pipeline, "stages">, stageId: string): readonly string[] {
  const byId = new Map(stages.map((stage) => [stage.stageId, stage]));
  const found = new Set<string>();
  const seen = new Set<string>();
  const look = (id: string): void => {
    const stage = byId.get(id);
    if (!stage || seen.has(id)) return;
    seen.add(id);
    if (hasWork(stage) && (id === stageId || isDone(stage))) found.add(id);
    else for (const earlier of stage.config?.dependsOnStages ?? []) look(earlier);
  };
  look(stageId);
  // A stage that another one builds on is part of its work.
  const nearest = [...found].filter((id) => ![...found].some((other) => before(stages, other).includes(id)));
  return nearest.length > 0
    ? stages.map((stage) => stage.stageId).filter((id) => nearest.includes(id))
    : [stageId];
}

/** The stages to which a review can send work back: those under review first, then the others, latest first. */
export function rejectionTargets({ stages }: Pick<Pipeline, "stages">, stageId: string): readonly string[] {
  const done = before(stages, stageId).filter((id) =>
    stages.some((one) => one.stageId === id && isDone(one)),
  );
  return [...new Set([...stagesUnderReview({ stages }, stageId), stageId, ...done.toReversed()])];
}

function isDone({ status }: Stage): boolean {
  return status === StageStatus.COMPLETED;
}

/** By the repository; without one, by the artifacts that the agent reports. */
function hasWork({ commit, workspace, result }: Stage): boolean {
  if (commit !== "" && workspace) return commit !== workspace.baseCommit;
  return (result?.artifacts.length ?? 0) > 0;
}
