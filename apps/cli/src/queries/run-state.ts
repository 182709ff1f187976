import {
  type Escalation,
  type Pipeline,
  PipelineStatus,
  type Stage,
  StageStatus,
} from "@baton/contract/forms";

/** A run with its open questions. */
export interface RunState {
  readonly pipeline: Pipeline;
  readonly questions: readonly Escalation[];
}

const ended: ReadonlySet<PipelineStatus> = new Set([
  PipelineStatus.COMPLETED,
  PipelineStatus.FAILED,
  PipelineStatus.ABORTED,
]);

const underWay: ReadonlySet<StageStatus> = new Set([StageStatus.READY, StageStatus.DISPATCHED]);

export function hasEnded({ status }: Pipeline): boolean {
  return ended.has(status);
}

/**
 * Whether nothing goes on until a person acts, which ends the following of a run: it is paused, or a question blocks every
 * stage that could move.
 */
export function isStopped({ pipeline, questions }: RunState): boolean {
  if (pipeline.status === PipelineStatus.PAUSED) return true;
  if (pipeline.status !== PipelineStatus.RUNNING) return false;
  const blocking = questions.filter(({ snapshot }) => snapshot?.blocking);
  if (blocking.length === 0) return false;
  const stopped = new Set(blocking.map(({ stageId }) => stageId));
  return pipeline.stages.every((stage) => !canMove(stage) || stopped.has(stage.stageId));
}

function canMove({ status }: Stage): boolean {
  return underWay.has(status);
}

/** What a run waits for: a person, an agent, a time, an answer. Empty when it has ended. */
export function describeWait(state: RunState): string {
  const { pipeline, questions } = state;
  if (hasEnded(pipeline)) return "";
  if (pipeline.waitsForPerson || isStopped(state)) {
    const asked = questions.find(({ snapshot }) => snapshot?.blocking) ?? questions[0];
    const why = asked?.snapshot?.problem ?? pipeline.statusReason;
    return why ? `a person: ${why}` : "a person";
  }
  const stopped = new Set(questions.map(({ stageId }) => stageId));
  const moving = pipeline.stages.filter((stage) => canMove(stage) && !stopped.has(stage.stageId));
  const [first, ...others] = moving.filter(({ waitingFor }) => waitingFor !== "");
  if (first === undefined) return "";
  const stage = pipeline.stages.length > 1 ? `${first.stageName || first.stageId}: ` : "";
  return `${stage}${first.waitingFor}${others.length > 0 ? `, and ${others.length} more` : ""}`;
}
