import type {
  AgentResult,
  ArtifactAction,
  Clarification,
  ReviewFeedback,
  TaskEnvelope,
  Usage,
} from "@baton/contract";
import type { FleetFacts } from "../../dispatch/fleet-facts.ts";
import type { RouteChoice, RouteQuestion } from "../../dispatch/route.ts";
import type { OfInstance } from "../../fleet/state/record.ts";
import { redactedResult } from "../../guardrails/answer.ts";
import type { Guarded } from "../../guardrails/verdict.ts";
import { type EntropyState, initialEntropy } from "../../trust/entropy/entropy.ts";
import type { GateCheckFinding } from "../gate/gate.ts";
import { withSeenFiles } from "../gate/seen-files.ts";
import { countEarly, hold, nothing, type SpendLimit, type Spent, settle, spendOf } from "../plan/spending.ts";
import { at, history, inPhase, move, put, stageAt, withResult } from "../state/fold.ts";
import {
  type Failure,
  type Phase,
  type Sent,
  type StageOf,
  sentOf,
  type Wait,
} from "../state/stage-state.ts";
import type { PipelineState } from "../state/state.ts";
import { dropSteps, giveSteps, type StepStateName, withStep } from "../state/steps.ts";
import type { RecordOf } from "./record.ts";

/** An attempt, from its dispatch until its stage completes, fails or tries again. */
export type AttemptRecord =
  | {
      readonly type: "dispatched";
      readonly stage: number;
      readonly attempt: number;
      readonly dispatchId: string;
      /** Chosen once; replay never chooses again. */
      readonly choice: RouteChoice;
      /** The inputs of the choice, for later what-if questions. */
      readonly question: RouteQuestion;
      readonly facts: FleetFacts;
      readonly envelope: TaskEnvelope;
      /** The budget of the attempt. */
      readonly granted: SpendLimit;
      /** Its share of the run's budget, where the limits of the tenant allow less; absent otherwise. */
      readonly reserved?: SpendLimit;
      /** The agent's API key, which states on whose behalf it works; absent when unknown. */
      readonly agentKey?: string | undefined;
      readonly timeoutAtMs: number;
      readonly atMs: number;
    }
  | {
      readonly type: "received";
      readonly stage: number;
      readonly result: AgentResult;
      /** Guardrails check it first. */
      readonly guarding?: true;
      readonly atMs: number;
    }
  /** What guardrails decided about the answer, and the texts that replace its own. */
  | ({ readonly type: "guarded"; readonly stage: number; readonly atMs: number } & Guarded)
  /** Git's action for files of which the agent reported another one. */
  | {
      readonly type: "files-seen";
      readonly stage: number;
      readonly files: readonly { readonly path: string; readonly action: ArtifactAction }[];
      readonly atMs: number;
    }
  /** A result that does not count: of another attempt, of a stage that has moved on, or invalid. */
  | {
      readonly type: "disregarded";
      readonly dispatchId: string;
      readonly reason: string;
      /** What a lost attempt has spent; undefined when unknown. */
      readonly spent: Spent | undefined;
      readonly atMs: number;
    }
  | {
      readonly type: "observed";
      readonly stage: number;
      readonly entropy: EntropyState;
      readonly atMs: number;
    }
  /** A step has begun or ended; the store has its value. */
  | {
      readonly type: "stepped";
      readonly stage: number;
      readonly dispatchId: string;
      /** Identifies it within the work of the stage. */
      readonly key: string;
      readonly state: StepStateName;
      /** Its number among the steps of the attempt, from one. */
      readonly ordinal: number;
      /** Size of its value. */
      readonly bytes: number;
      readonly usage: Usage | undefined;
      readonly atMs: number;
    }
  | {
      readonly type: "review-requested";
      readonly stage: number;
      readonly checks: readonly GateCheckFinding[];
      readonly reviewer: "agent" | "person";
      readonly escalationId: string | undefined;
      readonly atMs: number;
    }
  | {
      readonly type: "asked";
      readonly stage: number;
      readonly question: string;
      readonly escalationId: string;
      readonly atMs: number;
    }
  | {
      readonly type: "retried";
      readonly stage: number;
      readonly wait: Wait;
      readonly feedback: ReviewFeedback | undefined;
      /** An answered question: the next attempt is not a retry. */
      readonly clarification: Clarification | undefined;
      /** The attempt was cancelled through no fault of the agent, so it is not a retry either. */
      readonly uncounted?: true;
      /** What the next attempt needs at least; absent leaves it as it is. */
      readonly needed?: SpendLimit;
      /** The next attempt does not continue with the steps of this one. */
      readonly dropsSteps?: true;
      /** Releases the reservation of an attempt that never reached its agent. */
      readonly release: string | undefined;
      /** Why the previous attempt has no valid result; absent in older records. */
      readonly reason?: string;
      readonly atMs: number;
    }
  /** A person completes the stage instead of an agent. */
  | {
      readonly type: "overridden";
      readonly stage: number;
      readonly sent: Sent;
      readonly result: AgentResult;
      readonly by: string;
      readonly reason: string;
      readonly atMs: number;
    }
  | { readonly type: "completed"; readonly stage: number; readonly atMs: number }
  | { readonly type: "failed"; readonly stage: number; readonly failure: Failure; readonly atMs: number }
  | { readonly type: "skipped"; readonly stage: number; readonly failure: Failure; readonly atMs: number };

/** The folds of an attempt, from its dispatch until its stage comes to rest or retries. */
export function dispatched(before: PipelineState, record: RecordOf<"dispatched">): PipelineState {
  const state = giveSteps(before, record.stage);
  const { dispatchId, attempt, choice, envelope, granted, agentKey, timeoutAtMs, atMs: sentAtMs } = record;
  const known = { dispatchId, attempt, choice, envelope, granted, sentAtMs, timeoutAtMs };
  const sent: Sent = agentKey === undefined ? known : { ...known, agentKey };
  const phase: Phase = { kind: "sent", sent, entropy: initialEntropy };
  const stage = stageAt(state, record.stage);
  const firstSentAtMs = stage.firstSentAtMs ?? sentAtMs;
  const spending = hold(state.spending, dispatchId, record.reserved ?? granted, choice.packId);
  if (stage.status === "DISPATCHED") {
    inPhase(stage, "preparing");
    return { ...put(state, record.stage, { ...stage, phase }), spending, ...withAgent(state, record) };
  }
  const ready = at(state, record.stage, "READY");
  const next = {
    ...history(ready),
    firstSentAtMs,
    status: "DISPATCHED",
    phase,
    inputs: ready.inputs,
  } as const;
  return { ...move(state, record.stage, ready, "dispatch", next), spending, ...withAgent(state, record) };
}

function withAgent(
  { agentKeys = [], agents = [], firstSentAtMs }: PipelineState,
  { agentKey: key, choice: { packId, instanceId }, atMs }: RecordOf<"dispatched">,
): Partial<PipelineState> {
  const added = [packId, `${packId}/${instanceId}`].filter((name) => !agents.includes(name));
  const isNewKey = key !== undefined && !agentKeys.includes(key);
  return {
    ...(firstSentAtMs === undefined && { firstSentAtMs: atMs }),
    ...(isNewKey && { agentKeys: [...agentKeys, key] }),
    ...(added.length > 0 && agents.length < maxAgents && { agents: [...agents, ...added] }),
  };
}

/** Stored names of agents; more than a person would search for. */
const maxAgents = 128;

export function received(
  state: PipelineState,
  { stage: index, result, guarding }: RecordOf<"received">,
): PipelineState {
  const stage = at(state, index, "DISPATCHED");
  const { sent } = inPhase(stage, "sent");
  const spent = result.usage && spendOf(result.usage);
  const spending = settle(state.spending, sent.dispatchId, spent);
  const phase: Phase = { kind: "verifying", sent, result, ...(guarding && { guarding }) };
  const { guardrails: _, ...rest } = stage;
  return { ...put(state, index, { ...rest, phase }), spending };
}

export function guarded(
  state: PipelineState,
  { stage: index, verdicts, redacted }: RecordOf<"guarded">,
): PipelineState {
  const stage = at(state, index, "DISPATCHED");
  const { sent, result } = inPhase(stage, "verifying");
  const passed = redacted ? redactedResult(result, redacted) : result;
  const phase: Phase = { kind: "verifying", sent, result: passed };
  return put(state, index, { ...stage, phase, guardrails: verdicts });
}

export function filesSeen(
  state: PipelineState,
  { stage: index, files }: RecordOf<"files-seen">,
): PipelineState {
  const stage = at(state, index, "DISPATCHED");
  const phase = inPhase(stage, "verifying");
  return put(state, index, { ...stage, phase: { ...phase, result: withSeenFiles(phase.result, files) } });
}

export function disregarded(
  state: PipelineState,
  { dispatchId, spent }: RecordOf<"disregarded">,
): PipelineState {
  return spent ? { ...state, spending: settle(state.spending, dispatchId, spent) } : state;
}

export function observed(state: PipelineState, record: RecordOf<"observed">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  const phase = inPhase(stage, "sent");
  return put(state, record.stage, { ...stage, phase: { ...phase, entropy: record.entropy } });
}

/** The usage counts now, because a lost attempt has no result. */
export function stepped(state: PipelineState, record: RecordOf<"stepped">): PipelineState {
  const { stage, key, dispatchId, state: to, ordinal, bytes, usage } = record;
  const next = withStep(state, stage, key, { state: to, dispatchId, ordinal, bytes });
  return usage ? { ...next, spending: countEarly(state.spending, dispatchId, spendOf(usage)) } : next;
}

export function reviewRequested(state: PipelineState, record: RecordOf<"review-requested">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  // A review that no agent could do is passed on to a person.
  const { sent, result } = withResult(stage);
  const { checks, reviewer, escalationId } = record;
  const phase: Phase = { kind: "reviewing", sent, result, checks, reviewer, escalationId };
  return put(state, record.stage, { ...stage, phase });
}

export function asked(state: PipelineState, record: RecordOf<"asked">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  const { sent, result } = inPhase(stage, "verifying");
  const { question, escalationId } = record;
  const phase: Phase = { kind: "asking", sent, result, question, escalationId };
  return put(state, record.stage, { ...stage, phase });
}

export function retried(state: PipelineState, record: RecordOf<"retried">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  const { wait, feedback, clarification, uncounted, release, needed } = record;
  const counts = clarification === undefined && !uncounted;
  const next: StageOf<"DISPATCHED"> = {
    ...stage,
    attempt: stage.attempt + 1,
    roundStart: stage.roundStart + (counts ? 0 : 1),
    feedback: feedback ?? stage.feedback, // Feedback applies until an attempt passes its review.
    clarifications: clarification ? [...lasting(stage), clarification] : stage.clarifications,
    phase: { kind: "preparing", wait },
    ...(counts && { failedOn: failedOn(stage) }),
    ...(needed && { needed }),
  };
  const kept = record.dropsSteps ? dropSteps(state, [record.stage]) : state;
  const moved = move(kept, record.stage, stage, "retry", next);
  const spending = release === undefined ? moved.spending : settle(moved.spending, release, nothing);
  return { ...moved, spending, retriesUsed: state.retriesUsed + (counts ? 1 : 0) };
}

/** A decision about a call is of use to the next attempts only until there is another one: steps remember it. */
function lasting({ clarifications }: StageOf<"DISPATCHED">): readonly Clarification[] {
  return clarifications.filter(({ tool }) => tool === undefined);
}

/** Only failures lead here; there are few in one round. */
function failedOn(stage: StageOf<"DISPATCHED">): readonly OfInstance[] {
  const before = stage.failedOn ?? [];
  const sent = sentOf(stage);
  if (!sent) return before;
  const { packId, instanceId } = sent.choice;
  const others = before.filter((one) => one.packId !== packId || one.instanceId !== instanceId);
  return [...others, { packId, instanceId }].slice(-maxFailedOn);
}

const maxFailedOn = 8;

export function overridden(state: PipelineState, record: RecordOf<"overridden">): PipelineState {
  const ready = at(state, record.stage, "READY");
  const { sent, result } = record;
  return move(state, record.stage, ready, "dispatch", {
    ...history(ready),
    status: "DISPATCHED",
    phase: { kind: "verifying", sent, result },
    inputs: ready.inputs,
  });
}

export function completed(
  state: PipelineState,
  { stage: index, atMs }: RecordOf<"completed">,
): PipelineState {
  const stage = at(state, index, "DISPATCHED");
  const { sent, result } = withResult(stage);
  const { needed: _, ...kept } = history(stage);
  return move(dropSteps(state, [index]), index, stage, "complete", {
    ...kept,
    feedback: undefined,
    status: "COMPLETED",
    result,
    sent,
    finishedAtMs: atMs,
  });
}

export function failed(state: PipelineState, record: RecordOf<"failed">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  const { failure, atMs } = record;
  return move(state, record.stage, stage, "exhaust", {
    ...history(stage),
    status: "FAILED",
    failure,
    sent: sentOf(stage),
    finishedAtMs: atMs,
  });
}

export function skipped(state: PipelineState, record: RecordOf<"skipped">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  const { failure, atMs } = record;
  return move(dropSteps(state, [record.stage]), record.stage, stage, "skip", {
    ...history(stage),
    status: "SKIPPED",
    reason: failure.reason,
    failure,
    byEnd: false,
    finishedAtMs: atMs,
  });
}
