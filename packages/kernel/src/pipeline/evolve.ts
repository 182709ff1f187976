import { initialEntropy } from "../trust/entropy/entropy.ts";
import { emptyLedger, hold, nothing, settle, spendOf } from "./budget.ts";
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
import { planPipeline } from "./plan.ts";
import type { PipelineRecord, RecordOf } from "./record.ts";
import {
  type LifeOf,
  type Phase,
  type PipelineState,
  type Sent,
  type StageHistory,
  type StageOf,
  type StageState,
  sentOf,
} from "./state.ts";

/** Folds a record into the state. The only way the state ever changes, after a crash as before it. */
export function evolve(state: PipelineState | undefined, record: PipelineRecord): PipelineState {
  if (record.type === "created") {
    if (state) throw new Error("a pipeline is created once");
    return created(record);
  }
  if (!state) throw new Error(`"${record.type}" came before the pipeline was created`);
  const next = apply(state, record);
  return { ...next, version: state.version + 1, updatedAtMs: record.atMs };
}

export function replay(records: readonly PipelineRecord[]): PipelineState | undefined {
  return records.reduce<PipelineState | undefined>(evolve, undefined);
}

function created(record: RecordOf<"created">): PipelineState {
  const planned = planPipeline(record.stages, record.policy);
  if (!planned.ok) throw new Error("only a pipeline that can be planned is created");
  const { plan } = planned;
  const history: StageHistory = {
    attempt: 0,
    roundStart: 1,
    firstSentAtMs: undefined,
    feedback: undefined,
    clarifications: [],
    flagsApproved: false,
    edgesTaken: [],
  };
  const { pipelineId: id, tenantId, traceId, templateId, name, task, atMs } = record;
  return {
    id,
    tenantId,
    traceId,
    templateId,
    name,
    task,
    plan,
    life: { status: "PENDING" },
    stages: plan.stages.map(() => ({ ...history, status: "PENDING" })),
    tally: { PENDING: plan.stages.length, READY: 0, DISPATCHED: 0, COMPLETED: 0, FAILED: 0, SKIPPED: 0 },
    retriesUsed: 0,
    rejectionsUsed: 0,
    ledger: emptyLedger,
    escalations: new Map(),
    escalationsRaised: 0,
    createdAtMs: atMs,
    deadlineAtMs: undefined,
    deadlineWaived: false,
    updatedAtMs: atMs,
    version: 1,
  };
}

function apply(state: PipelineState, record: Exclude<PipelineRecord, { type: "created" }>): PipelineState {
  switch (record.type) {
    case "started": {
      const { deadlineMs } = state.plan.limits;
      const deadlineAtMs = deadlineMs === undefined ? undefined : record.atMs + deadlineMs;
      return { ...live(state, "PENDING", "start", { status: "RUNNING" }), deadlineAtMs };
    }
    case "unblocked": {
      const stage = at(state, record.stage, "PENDING");
      const { inputs } = record;
      const next = nextRound(stage);
      return move(state, record.stage, stage, "unblock", {
        ...next,
        status: "READY",
        wait: { kind: "turn" },
        inputs,
      });
    }
    case "pruned": {
      const stage = at(state, record.stage, "PENDING");
      const { reason, atMs } = record;
      const skipped = {
        ...history(stage),
        status: "SKIPPED",
        reason,
        failure: undefined,
        finishedAtMs: atMs,
      } as const;
      return move(state, record.stage, stage, "prune", skipped);
    }
    case "waited":
      return waited(state, record);
    case "dispatched":
      return dispatched(state, record);
    case "received": {
      const stage = at(state, record.stage, "DISPATCHED");
      const { sent } = inPhase(stage, "sent");
      const settled = settle(state.ledger, sent.dispatchId, spendOf(record.result.usage));
      const phase: Phase = { kind: "verifying", sent, result: record.result };
      return { ...put(state, record.stage, { ...stage, phase }), ledger: settled };
    }
    case "disregarded": {
      const { dispatchId, spent } = record;
      return spent ? { ...state, ledger: settle(state.ledger, dispatchId, spent) } : state;
    }
    case "observed": {
      const stage = at(state, record.stage, "DISPATCHED");
      const phase = inPhase(stage, "sent");
      return put(state, record.stage, { ...stage, phase: { ...phase, entropy: record.entropy } });
    }
    case "review-requested": {
      const stage = at(state, record.stage, "DISPATCHED");
      const { sent, result } = inPhase(stage, "verifying");
      const { checks, reviewer, escalationId } = record;
      const phase: Phase = { kind: "reviewing", sent, result, checks, reviewer, escalationId };
      return put(state, record.stage, { ...stage, phase });
    }
    case "asked": {
      const stage = at(state, record.stage, "DISPATCHED");
      const { sent, result } = inPhase(stage, "verifying");
      const { question, escalationId } = record;
      return put(state, record.stage, {
        ...stage,
        phase: { kind: "asking", sent, result, question, escalationId },
      });
    }
    case "retried":
      return retried(state, record);
    case "completed": {
      const stage = at(state, record.stage, "DISPATCHED");
      const { sent, result } = withResult(stage);
      const next = {
        ...history(stage),
        status: "COMPLETED",
        result,
        sent,
        finishedAtMs: record.atMs,
      } as const;
      return move(state, record.stage, stage, "complete", { ...next, feedback: undefined });
    }
    case "failed": {
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
    case "skipped": {
      const stage = at(state, record.stage, "DISPATCHED");
      const { failure, atMs } = record;
      const next = {
        ...history(stage),
        status: "SKIPPED",
        reason: failure.reason,
        failure,
        finishedAtMs: atMs,
      } as const;
      return move(state, record.stage, stage, "skip", next);
    }
    case "rejected":
      return rejected(state, record);
    case "paused": {
      const { reason, atMs: sinceMs } = record;
      return live(state, "RUNNING", "pause", { status: "PAUSED", reason, sinceMs });
    }
    case "resumed":
      return live(state, "PAUSED", "resume", { status: "RUNNING" });
    case "aborted": {
      const { reason, by, atMs } = record;
      return live(state, "PAUSED", "abort", { status: "ABORTED", reason, by, atMs });
    }
    case "pipeline-failed":
      return live(state, "RUNNING", "fail", { status: "FAILED", reason: record.reason, atMs: record.atMs });
    case "pipeline-completed": {
      const { summary, atMs } = record;
      return live(state, "RUNNING", "complete", { status: "COMPLETED", summary, atMs });
    }
    case "deadline-passed":
      return { ...state, deadlineAtMs: undefined };
    case "deadline-waived":
      return { ...state, deadlineWaived: true };
    case "escalated": {
      const { escalationId: id, kind, stage, dispatchId, snapshot, atMs: raisedAtMs } = record;
      const escalations = new Map(state.escalations).set(id, {
        id,
        kind,
        stage,
        dispatchId,
        snapshot,
        raisedAtMs,
      });
      return { ...state, escalations, escalationsRaised: state.escalationsRaised + 1 };
    }
    case "resolved": {
      const escalations = new Map(state.escalations);
      escalations.delete(record.escalationId);
      return { ...state, escalations };
    }
    case "flags-approved":
      return put(state, record.stage, { ...stageAt(state, record.stage), flagsApproved: true });
  }
}

function waited(state: PipelineState, { stage: index, wait }: RecordOf<"waited">): PipelineState {
  const stage = stageAt(state, index);
  if (stage.status === "READY") return put(state, index, { ...stage, wait });
  if (stage.status === "DISPATCHED")
    return put(state, index, { ...stage, phase: { kind: "preparing", wait } });
  throw new Error(`stage ${index} is ${stage.status} and waits for nothing`);
}

function dispatched(state: PipelineState, record: RecordOf<"dispatched">): PipelineState {
  const { dispatchId, attempt, choice, envelope, granted, timeoutAtMs, atMs: sentAtMs } = record;
  const sent: Sent = { dispatchId, attempt, choice, envelope, granted, sentAtMs, timeoutAtMs };
  const phase: Phase = { kind: "sent", sent, entropy: initialEntropy };
  const stage = stageAt(state, record.stage);
  const firstSentAtMs = stage.firstSentAtMs ?? sentAtMs;
  const ledger = hold(state.ledger, dispatchId, granted);
  if (stage.status === "DISPATCHED") {
    inPhase(stage, "preparing");
    return { ...put(state, record.stage, { ...stage, phase }), ledger };
  }
  const ready = at(state, record.stage, "READY");
  const next = {
    ...history(ready),
    firstSentAtMs,
    status: "DISPATCHED",
    phase,
    inputs: ready.inputs,
  } as const;
  return { ...move(state, record.stage, ready, "dispatch", next), ledger };
}

function retried(state: PipelineState, record: RecordOf<"retried">): PipelineState {
  const stage = at(state, record.stage, "DISPATCHED");
  const { wait, feedback, clarification, release } = record;
  const counts = clarification === undefined;
  const next: StageOf<"DISPATCHED"> = {
    ...stage,
    attempt: stage.attempt + 1,
    roundStart: stage.roundStart + (counts ? 0 : 1),
    feedback: feedback ?? stage.feedback, // What a review said holds until an attempt has passed one.
    clarifications: clarification ? [...stage.clarifications, clarification] : stage.clarifications,
    phase: { kind: "preparing", wait },
  };
  const moved = move(state, record.stage, stage, "retry", next);
  const ledger = release === undefined ? moved.ledger : settle(moved.ledger, release, nothing);
  return { ...moved, ledger, retriesUsed: state.retriesUsed + (counts ? 1 : 0) };
}

function rejected(state: PipelineState, record: RecordOf<"rejected">): PipelineState {
  const { target, reset, feedback, edge, inputs } = record;
  let next = state;
  for (const index of reset) {
    const stage = stageAt(next, index);
    if (stage.status === "PENDING") continue;
    next = move(next, index, stage, "reset", { ...history(stage), feedback: undefined, status: "PENDING" });
  }
  if (edge) {
    const stage = stageAt(next, edge.stage);
    const edgesTaken = [...stage.edgesTaken];
    edgesTaken[edge.edge] = (edgesTaken[edge.edge] ?? 0) + 1;
    next = put(next, edge.stage, { ...stage, edgesTaken });
  }
  const stage = stageAt(next, target);
  if (stage.status === "PENDING" || stage.status === "READY")
    throw new Error(`stage ${target} was never sent`);
  const ready = { ...nextRound(stage), feedback, status: "READY", wait: { kind: "turn" }, inputs } as const;
  next = move(next, target, stage, "rewind", ready);
  return { ...next, rejectionsUsed: state.rejectionsUsed + (record.counts ? 1 : 0) };
}

/** A new round of attempts: its number goes on, its count begins again. */
function nextRound(stage: StageState): StageHistory {
  return { ...history(stage), attempt: stage.attempt + 1, roundStart: stage.attempt + 1 };
}

function history(stage: StageHistory): StageHistory {
  const { attempt, roundStart, firstSentAtMs, feedback, clarifications, flagsApproved, edgesTaken } = stage;
  return { attempt, roundStart, firstSentAtMs, feedback, clarifications, flagsApproved, edgesTaken };
}

export function stageAt(state: PipelineState, index: number): StageState {
  const stage = state.stages[index];
  if (!stage) throw new Error(`there is no stage ${index}`);
  return stage;
}

function at<Status extends StageStatusName>(
  state: PipelineState,
  index: number,
  status: Status,
): StageOf<Status> {
  const stage = stageAt(state, index);
  if (stage.status !== status) throw new Error(`stage ${index} is ${stage.status}, not ${status}`);
  return stage as StageOf<Status>;
}

function inPhase<Kind extends Phase["kind"]>(
  stage: StageOf<"DISPATCHED">,
  kind: Kind,
): Extract<Phase, { kind: Kind }> {
  if (stage.phase.kind !== kind) throw new Error(`the stage is ${stage.phase.kind}, not ${kind}`);
  return stage.phase as Extract<Phase, { kind: Kind }>;
}

function withResult(stage: StageOf<"DISPATCHED">): Extract<Phase, { kind: "verifying" | "reviewing" }> {
  const { phase } = stage;
  if (phase.kind === "verifying" || phase.kind === "reviewing") return phase;
  throw new Error(`the stage is ${phase.kind} and has no result`);
}

/** Moves a stage along its table. A move that the table does not have does not compile. */
function move<From extends StageStatusName, Event extends StageEvent<From>>(
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
function put<Stage extends StageState>(state: PipelineState, index: number, stage: Stage): PipelineState {
  if (stageAt(state, index).status !== stage.status) throw new Error("a stage moves along its table");
  return { ...state, stages: state.stages.with(index, stage) };
}

function live<From extends PipelineStatusName, Event extends PipelineEvent<From>>(
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
