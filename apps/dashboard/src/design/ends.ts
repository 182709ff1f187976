import { type Pipeline, PipelineStatus, type Stage } from "@baton/contract/messages";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

export function hasEnded({ status }: Pipeline): boolean {
  return status > PipelineStatus.PAUSED;
}

/** When a run came to its end; undefined while it goes on. A return to that end later on makes it no longer. */
export function endOf(pipeline: Pipeline): Timestamp | undefined {
  if (!hasEnded(pipeline)) return undefined;
  return pipeline.summary?.timing?.finishedAt ?? pipeline.updatedAt;
}

/** When a stage came to rest, by itself or with its run; undefined while it goes on. */
export function stageEndOf({ finishedAt }: Stage, pipeline: Pipeline): Timestamp | undefined {
  return finishedAt ?? endOf(pipeline);
}

/** The run that gave the result of a stage, where it was another: the attempt is told there. Empty where it was none. */
export function takenFrom({ dispatchId }: Stage, { pipelineId }: Pipeline): string {
  const [from = ""] = dispatchId.split("/");
  return from === pipelineId ? "" : from;
}
