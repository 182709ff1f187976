import type { AttemptRecord } from "./attempt.ts";
import type { QuestionRecord } from "./question.ts";
import type { RunRecord } from "./run.ts";
import type { StageRecord } from "./stage.ts";

/**
 * What was decided about a pipeline. Records are durable before anything is done about them, and replaying them gives
 * the state again: whatever a decision looked at and the state will need is in the record.
 */
export type PipelineRecord = RunRecord | StageRecord | AttemptRecord | QuestionRecord;

/** Of what counts for nothing, was only seen, or is of an attempt that is over, there is a record; nothing moves for it. */
export function affectsStages({ type }: PipelineRecord): boolean {
  return type !== "disregarded" && type !== "observed" && type !== "left";
}

export type RecordOf<Type extends PipelineRecord["type"]> = Extract<PipelineRecord, { type: Type }>;
