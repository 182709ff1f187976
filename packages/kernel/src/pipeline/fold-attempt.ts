import type { OfInstance } from "../fleet/record.ts";
import { initialEntropy } from "../trust/entropy/entropy.ts";
import { hold, nothing, settle, spendOf } from "./budget.ts";
import { at, history, inPhase, move, put, stageAt, withResult } from "./fold.ts";
import type { RecordOf } from "./record.ts";
import { withSeenFiles } from "./seen-files.ts";
import { type Phase, type PipelineState, type Sent, type StageOf, sentOf } from "./state.ts";

/** What an attempt goes through, from the moment it is sent until its stage has come to rest or tries again. */
export function dispatched(state: PipelineState, record: RecordOf<"dispatched">): PipelineState {
  const { dispatchId, attempt, choice, envelope, granted, agentKey, timeoutAtMs, atMs: sentAtMs } = record;
  const known = { dispatchId, attempt, choice, envelope, granted, sentAtMs, timeoutAtMs };
  const sent: Sent = agentKey === undefined ? known : { ...known, agentKey };
  const phase: Phase = { kind: "sent", sent, entropy: initialEntropy };
  const stage = stageAt(state, record.stage);
  const firstSentAtMs = stage.firstSentAtMs ?? sentAtMs;
  const ledger = hold(state.ledger, dispatchId, granted);
  if (stage.status === "DISPATCHED") {
    inPhase(stage, "preparing");
    return { ...put(state, record.stage, { ...stage, phase }), ledger, ...withAgent(state, record) };
  }
  const ready = at(state, record.stage, "READY");
  const next = {
    ...history(ready),
    firstSentAtMs,
    status: "DISPATCHED",
    phase,
    inputs: ready.inputs,
  } as const;
  return { ...move(state, record.stage, ready, "dispatch", next), ledger, ...withAgent(state, record) };
}

function withAgent(
  { agentKeys = [], agents = [] }: PipelineState,
  { agentKey: key, choice: { packId, instanceId } }: RecordOf<"dispatched">,
): Partial<PipelineState> {
  const added = [packId, `${packId}/${instanceId}`].filter((name) => !agents.includes(name));
  const isNewKey = key !== undefined && !agentKeys.includes(key);
  return {
    ...(isNewKey && { agentKeys: [...agentKeys, key] }),
    ...(added.length > 0 && agents.length < mostAgents && { agents: [...agents, ...added] }),
  };
}

/** Names of agents that are kept of a run: more than a person would look for. */
const mostAgents = 128;

export function received(
  state: PipelineState,
  { stage: index, result }: RecordOf<"received">,
): PipelineState {
  const stage = at(state, index, "DISPATCHED");
  const { sent } = inPhase(stage, "sent");
  const spent = result.usage && spendOf(result.usage);
  const ledger = settle(state.ledger, sent.dispatchId, spent);
  return { ...put(state, index, { ...stage, phase: { kind: "verifying", sent, result } }), ledger };
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
  return spent ? { ...state, ledger: settle(state.ledger, dispatchId, spent) } : state;
}

export function observed(state: PipelineState, record: RecordOf<"observed">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  const phase = inPhase(stage, "sent");
  return put(state, record.stage, { ...stage, phase: { ...phase, entropy: record.entropy } });
}

export function reviewRequested(state: PipelineState, record: RecordOf<"review-requested">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  // A review that no agent could do goes to a person.
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
  const { wait, feedback, clarification, uncounted, release } = record;
  const counts = clarification === undefined && !uncounted;
  const next: StageOf<"DISPATCHED"> = {
    ...stage,
    attempt: stage.attempt + 1,
    roundStart: stage.roundStart + (counts ? 0 : 1),
    feedback: feedback ?? stage.feedback, // What a review said holds until an attempt has passed one.
    clarifications: clarification ? [...stage.clarifications, clarification] : stage.clarifications,
    phase: { kind: "preparing", wait },
    ...(counts && { failedOn: failedOn(stage) }),
  };
  const moved = move(state, record.stage, stage, "retry", next);
  const ledger = release === undefined ? moved.ledger : settle(moved.ledger, release, nothing);
  return { ...moved, ledger, retriesUsed: state.retriesUsed + (counts ? 1 : 0) };
}

/** An answered question is no failure, so only retries that count come here. Few: one for each attempt of a round. */
function failedOn(stage: StageOf<"DISPATCHED">): readonly OfInstance[] {
  const before = stage.failedOn ?? [];
  const sent = sentOf(stage);
  if (!sent) return before;
  const { packId, instanceId } = sent.choice;
  const others = before.filter((one) => one.packId !== packId || one.instanceId !== instanceId);
  return [...others, { packId, instanceId }].slice(-mostFailedOn);
}

const mostFailedOn = 8;

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
  return move(state, index, stage, "complete", {
    ...history(stage),
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
  return move(state, record.stage, stage, "skip", {
    ...history(stage),
    status: "SKIPPED",
    reason: failure.reason,
    failure,
    byEnd: false,
    finishedAtMs: atMs,
  });
}
