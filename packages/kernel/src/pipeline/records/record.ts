import type { AlignmentRecord } from "./alignment.ts";
import type { AttemptRecord } from "./attempt.ts";
import type { CacheRunRecord } from "./cache.ts";
import type { QuestionRecord } from "./question.ts";
import type { RunRecord } from "./run.ts";
import type { StageRecord } from "./stage.ts";

/**
 * A decided fact about a pipeline. Records are durable before any command, and replaying them restores the state, so they
 * hold every input of the decision that the state needs.
 */
export type PipelineRecord =
  | RunRecord
  | StageRecord
  | AttemptRecord
  | AlignmentRecord
  | QuestionRecord
  | CacheRunRecord;

/** Whether a record changes a stage: a disregarded result, an observation, a step, a used tool and late work do not. */
export function affectsStages({ type }: PipelineRecord): boolean {
  return !affectsNoStage.has(type);
}

const affectsNoStage: ReadonlySet<PipelineRecord["type"]> = new Set([
  "disregarded",
  "observed",
  "stepped",
  "left",
  "tool-used",
  "outcome-stored",
]);

export type RecordOf<Type extends PipelineRecord["type"]> = Extract<PipelineRecord, { type: Type }>;
