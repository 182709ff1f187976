import { type Pipeline, type Stage, StageStatus } from "@baton/contract/messages";
import { before } from "./consequences.ts";

/**
 * The stages whose work a person looks at who reviews a stage: the stage itself when it changed something, else the nearest
 * ones before it that did. A stage that reviews others usually changes nothing itself. More than one are side by side, as
 * the branches of a diamond. Where nobody changed anything it is the stage itself: its answer is the work.
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
  // One that another of them builds on is part of that one's work.
  const nearest = [...found].filter((id) => ![...found].some((other) => before(stages, other).includes(id)));
  return nearest.length > 0
    ? stages.map((stage) => stage.stageId).filter((id) => nearest.includes(id))
    : [stageId];
}

/** The stages that a review of a stage can send work back to: those under review first, then the others, latest first. */
export function rejectionTargets({ stages }: Pick<Pipeline, "stages">, stageId: string): readonly string[] {
  const done = before(stages, stageId).filter((id) =>
    stages.some((one) => one.stageId === id && isDone(one)),
  );
  return [...new Set([...stagesUnderReview({ stages }, stageId), stageId, ...done.toReversed()])];
}

function isDone({ status }: Stage): boolean {
  return status === StageStatus.COMPLETED;
}

/** As the repository has it; without one, as the agent names its files. */
function hasWork({ commit, workspace, result }: Stage): boolean {
  if (commit !== "" && workspace) return commit !== workspace.baseCommit;
  return (result?.artifacts.length ?? 0) > 0;
}
