import { type Pipeline, PipelineStatus, type Stage } from "@baton/contract/messages";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

export function hasEnded({ status }: Pipeline): boolean {
  return status > PipelineStatus.PAUSED;
}

/** When a run ended; undefined while it is active. Returning to that end by a rewind does not change it. */
export function endOf(pipeline: Pipeline): Timestamp | undefined {
  if (!hasEnded(pipeline)) return undefined;
  return pipeline.summary?.timing?.finishedAt ?? pipeline.updatedAt;
}

/** When a stage ended, by itself or with its run; undefined while it is active. */
export function stageEndOf({ finishedAt }: Stage, pipeline: Pipeline): Timestamp | undefined {
  return finishedAt ?? endOf(pipeline);
}

/** The other run that a result was taken over from, which also has the attempt; empty for own results. */
export function takenFrom({ dispatchId }: Stage, { pipelineId }: Pipeline): string {
  const [from = ""] = dispatchId.split("/");
  return from === pipelineId ? "" : from;
}
