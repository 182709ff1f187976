import type { AlignmentRecord } from "./alignment.ts";
import type { AttemptRecord } from "./attempt.ts";
import type { QuestionRecord } from "./question.ts";
import type { RunRecord } from "./run.ts";
import type { StageRecord } from "./stage.ts";

/**
 * A decided fact about a pipeline. Records are durable before any command, and replaying them restores the state, so they
 * hold every input of the decision that the state needs.
 */
export type PipelineRecord = RunRecord | StageRecord | AttemptRecord | AlignmentRecord | QuestionRecord;

/** Whether a record changes a stage: a disregarded result, an observation, a step and late work do not. */
export function affectsStages({ type }: PipelineRecord): boolean {
  return type !== "disregarded" && type !== "observed" && type !== "stepped" && type !== "left";
}

export type RecordOf<Type extends PipelineRecord["type"]> = Extract<PipelineRecord, { type: Type }>;
