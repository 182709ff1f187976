import {
  type PipelineAfter,
  type PipelineEvent,
  type PipelineStatusName,
  pipelineTransitions,
  type StageAfter,
  type StageEvent,
  type StageStatusName,
  stageTransitions,
} from "./machine.ts";
import type { Phase, StageHistory, StageOf, StageState } from "./stage-state.ts";
import type { LifeOf, PipelineState } from "./state.ts";

/** Moves a stage along its table. A move that the table does not have does not compile. */
export function move<From extends StageStatusName, Event extends StageEvent<From>>(
  state: PipelineState,
  index: number,
  from: StageOf<From>,
  event: Event,
  to: StageOf<StageAfter<From, Event> & StageStatusName>,
): PipelineState {
  const allowed: Readonly<Record<string, string>> = stageTransitions[from.status as StageStatusName];
  if (allowed[event as string] !== to.status)
    throw new Error(`${from.status} has no "${String(event)}" to ${to.status}`);
  const tally = { ...state.tally };
  tally[from.status as StageStatusName]--;
  tally[to.status as StageStatusName]++;
  return { ...state, stages: state.stages.with(index, to), tally };
}

/** Changes what a stage carries, not where it stands: that is for `move`. */
export function put<Stage extends StageState>(
  state: PipelineState,
  index: number,
  stage: Stage,
): PipelineState {
  if (stageAt(state, index).status !== stage.status) throw new Error("a stage moves along its table");
  return { ...state, stages: state.stages.with(index, stage) };
}

/** Moves the pipeline along its table. */
export function live<From extends PipelineStatusName, Event extends PipelineEvent<From>>(
  state: PipelineState,
  from: From,
  event: Event,
  to: LifeOf<PipelineAfter<From, Event> & PipelineStatusName>,
): PipelineState {
  const allowed: Readonly<Record<string, string>> = pipelineTransitions[state.life.status];
  if (state.life.status !== from || allowed[event as string] !== to.status) {
    throw new Error(`a pipeline that is ${state.life.status} has no "${String(event)}"`);
  }
  return { ...state, life: to };
}

export function stageAt(state: PipelineState, index: number): StageState {
  const stage = state.stages[index];
  if (!stage) throw new Error(`there is no stage ${index}`);
  return stage;
}

/** The stage, where it has to stand in this status. */
export function at<Status extends StageStatusName>(
  state: PipelineState,
  index: number,
  status: Status,
): StageOf<Status> {
  const stage = stageAt(state, index);
  if (stage.status !== status) throw new Error(`stage ${index} is ${stage.status}, not ${status}`);
  return stage as StageOf<Status>;
}

export function inPhase<Kind extends Phase["kind"]>(
  stage: StageOf<"DISPATCHED">,
  kind: Kind,
): Extract<Phase, { kind: Kind }> {
  if (stage.phase.kind !== kind) throw new Error(`the stage is ${stage.phase.kind}, not ${kind}`);
  return stage.phase as Extract<Phase, { kind: Kind }>;
}

export function withResult(
  stage: StageOf<"DISPATCHED">,
): Extract<Phase, { kind: "verifying" | "reviewing" }> {
  const { phase } = stage;
  if (phase.kind === "verifying" || phase.kind === "reviewing") return phase;
  throw new Error(`the stage is ${phase.kind} and has no result`);
}

export function history(stage: StageHistory): StageHistory {
  return {
    attempt: stage.attempt,
    roundStart: stage.roundStart,
    usedUpTo: stage.usedUpTo,
    firstSentAtMs: stage.firstSentAtMs,
    feedback: stage.feedback,
    clarifications: stage.clarifications,
    flagsApproved: stage.flagsApproved,
    edgesTaken: stage.edgesTaken,
    place: stage.place,
    kept: stage.kept,
    ...(stage.failedOn && { failedOn: stage.failedOn }),
    ...(stage.needed && { needed: stage.needed }),
    ...(stage.edges && { edges: stage.edges }),
  };
}

/** A new round of attempts: its number goes on, its count begins again. */
export function nextRound(stage: StageState): StageHistory {
  const attempt = Math.max(stage.attempt, stage.usedUpTo) + 1;
  const { failedOn: _, ...kept } = history(stage);
  return { ...kept, attempt, roundStart: attempt };
}
