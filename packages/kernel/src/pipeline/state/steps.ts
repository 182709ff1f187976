import type { Usage } from "@baton/contract";
import type { PipelineState } from "./state.ts";

/**
 * The durable steps of a stage (PIP-11): those of the current attempt, and those of earlier attempts at the same work, which
 * it is given. The store has their values.
 */
export interface Steps {
  /** By key, in the order in which they were first reported. */
  readonly known: ReadonlyMap<string, KnownStep>;
  /** Bytes of all values. */
  readonly bytes: number;
  /** How many the current attempt has reported. */
  readonly reported: number;
}

export interface KnownStep {
  readonly state: StepStateName;
  /** The attempt that reported it last. */
  readonly dispatchId: string;
  /** Its number among the steps of that attempt, from one. */
  readonly ordinal: number;
  readonly bytes: number;
}

export type StepStateName = "STARTED" | "COMPLETED" | "FAILED";

/** Largest values and counts of the steps that one attempt has or is given. */
export const stepLimits = {
  count: 1_000,
  valueBytes: 1024 * 1024,
  totalBytes: 32 * 1024 * 1024,
} as const;

const noSteps: Steps = { known: new Map(), bytes: 0, reported: 0 };

/** Identifies a step within the work of a stage. */
export interface StepIdentity {
  readonly name: string;
  readonly argumentsDigest: string;
  readonly occurrence: number;
}

/** A step as an agent reports it, without its value. */
export interface ReportedStep extends StepIdentity {
  readonly state: StepStateName;
  /** Size of its value. */
  readonly bytes: number;
  readonly usage: Usage | undefined;
}

export function stepKey({ name, argumentsDigest, occurrence }: StepIdentity): string {
  return `${argumentsDigest}/${occurrence}/${name}`;
}

export function stepsOf({ steps }: PipelineState, stage: number): Steps {
  return steps?.get(stage) ?? noSteps;
}

export function withStep(state: PipelineState, stage: number, key: string, step: KnownStep): PipelineState {
  const before = stepsOf(state, stage);
  return withSteps(state, stage, {
    ...before,
    known: new Map(before.known).set(key, step),
    bytes: before.bytes - (before.known.get(key)?.bytes ?? 0) + step.bytes,
    reported: Math.max(before.reported, step.ordinal),
  });
}

/** The next attempt begins with the steps of the earlier ones, and counts its own from one. */
export function giveSteps(state: PipelineState, stage: number): PipelineState {
  const before = state.steps?.get(stage);
  return before ? withSteps(state, stage, { ...before, reported: 0 }) : state;
}

/** The next attempt at the stage is other work. */
export function dropSteps(state: PipelineState, stages: readonly number[]): PipelineState {
  if (!state.steps || !stages.some((stage) => state.steps?.has(stage))) return state;
  const { steps: before, ...rest } = state;
  const steps = new Map(before);
  for (const stage of stages) steps.delete(stage);
  return steps.size > 0 ? { ...rest, steps } : rest;
}

function withSteps(state: PipelineState, stage: number, steps: Steps): PipelineState {
  return { ...state, steps: new Map(state.steps).set(stage, steps) };
}
