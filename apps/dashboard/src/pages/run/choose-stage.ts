import { type Pipeline, type Stage, StageStatus } from "@baton/contract/messages";

/** The stage that the address names; else where something happens, else the last one that anything is known of. */
export function chooseStage(pipeline: Pipeline | undefined, asked: string): Stage | undefined {
  if (pipeline === undefined) return undefined;
  const { stages } = pipeline;
  return (
    stages.find(({ stageId }) => stageId === asked) ??
    stages.find(({ status }) => status === StageStatus.FAILED) ??
    stages.find(({ status }) => status === StageStatus.DISPATCHED) ??
    stages.findLast(({ dispatchId }) => dispatchId !== "") ??
    stages[0]
  );
}
