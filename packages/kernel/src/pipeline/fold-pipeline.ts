import { PipelinePolicySchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { budgetOf, emptyLedger } from "./budget.ts";
import { live } from "./fold.ts";
import { planPipeline } from "./plan.ts";
import type { RecordOf } from "./record.ts";
import type { PipelineState, StageHistory } from "./state.ts";

/** The pipeline as a whole: how it begins, stops and ends, and what people are asked about it. */
export function created(record: RecordOf<"created">): PipelineState {
  const planned = planPipeline(record.stages, record.policy);
  if (!planned.ok) throw new Error("only a pipeline that can be planned is created");
  const { plan } = planned;
  const history: StageHistory = {
    attempt: 0,
    roundStart: 1,
    usedUpTo: 0,
    firstSentAtMs: undefined,
    feedback: undefined,
    clarifications: [],
    flagsApproved: false,
    edgesTaken: [],
    place: undefined,
    kept: undefined,
  };
  const {
    pipelineId: id,
    tenantId,
    traceId,
    parentSpanId,
    templateId,
    name,
    submittedBy,
    task,
    rootCommit,
    reviewOf,
    atMs,
  } = record;
  return {
    id,
    tenantId,
    traceId,
    parentSpanId,
    templateId,
    name,
    submittedBy,
    task,
    ...(reviewOf && { reviewOf }),
    plan,
    life: { status: "PENDING" },
    stages: plan.stages.map(() => ({ ...history, status: "PENDING" })),
    tally: { PENDING: plan.stages.length, READY: 0, DISPATCHED: 0, COMPLETED: 0, FAILED: 0, SKIPPED: 0 },
    retriesUsed: 0,
    rejectionsUsed: 0,
    ends: [],
    ledger: emptyLedger,
    rootCommit,
    left: [],
    escalations: new Map(),
    escalationsRaised: 0,
    createdAtMs: atMs,
    deadlineAtMs: undefined,
    deadlineWaived: false,
    updatedAtMs: atMs,
    version: 1,
  };
}

export function started(state: PipelineState, { atMs }: RecordOf<"started">): PipelineState {
  const { deadlineMs } = state.plan.limits;
  const deadlineAtMs = deadlineMs === undefined ? undefined : atMs + deadlineMs;
  return { ...live(state, "PENDING", "start", { status: "RUNNING" }), deadlineAtMs };
}

export function paused(state: PipelineState, { reason, halted, atMs }: RecordOf<"paused">): PipelineState {
  const life = { status: "PAUSED", reason, sinceMs: atMs, ...(halted && { halted }) } as const;
  return live(state, "RUNNING", "pause", life);
}

export function resumed(state: PipelineState): PipelineState {
  return live(state, "PAUSED", "resume", { status: "RUNNING" });
}

export function aborted(state: PipelineState, { reason, by, atMs }: RecordOf<"aborted">): PipelineState {
  return live(state, "PAUSED", "abort", { status: "ABORTED", reason, by, atMs });
}

export function pipelineFailed(
  state: PipelineState,
  { reason, atMs }: RecordOf<"pipeline-failed">,
): PipelineState {
  return live(state, "RUNNING", "fail", { status: "FAILED", reason, atMs });
}

export function pipelineCompleted(
  state: PipelineState,
  { summary, atMs }: RecordOf<"pipeline-completed">,
): PipelineState {
  return live(state, "RUNNING", "complete", { status: "COMPLETED", summary, atMs });
}

/** The policy shows what holds now: whoever reads it has no other place to look. */
export function limitsChanged(state: PipelineState, record: RecordOf<"limits-changed">): PipelineState {
  const { plan, createdAtMs } = state;
  const { budget, deadlineAtMs = state.deadlineAtMs } = record;
  const deadlineMs =
    record.deadlineAtMs === undefined ? plan.limits.deadlineMs : record.deadlineAtMs - createdAtMs;
  const policy = plan.policy ? { ...plan.policy } : create(PipelinePolicySchema);
  if (Object.keys(budget).length > 0) policy.budget = budgetOf(budget);
  if (deadlineMs !== undefined) policy.pipelineDeadline = durationFromMs(deadlineMs);
  const limits = { ...plan.limits, budget, deadlineMs };
  return { ...state, plan: { ...plan, limits, policy }, deadlineAtMs };
}

/** Results of another pipeline are its own from the beginning. */
export function takenOver(state: PipelineState, record: RecordOf<"taken-over">): PipelineState {
  const { origin, taken, ends, rootCommit, target, inputs, mergeInputs, feedback } = record;
  const stages = [...state.stages];
  const tally = { ...state.tally };
  for (const { stage, state: rested } of taken) {
    stages[stage] = rested;
    tally.PENDING--;
    tally[rested.status]++;
  }
  const first = stages[target];
  if (first && feedback) stages[target] = { ...first, feedback };
  return {
    ...{ ...state, stages, tally, ends, origin },
    rootCommit: rootCommit ?? state.rootCommit,
    ...(inputs && { edited: { stage: target, inputs, merge: mergeInputs } }),
  };
}

/** Everything is where it stood; what was spent, asked and numbered since stays spent, asked and numbered. */
export function restored(state: PipelineState, record: RecordOf<"restored">): PipelineState {
  const { life, stages, ends, retriesUsed, rejectionsUsed, deadlineAtMs, deadlineWaived } = record;
  const tally = { PENDING: 0, READY: 0, DISPATCHED: 0, COMPLETED: 0, FAILED: 0, SKIPPED: 0 };
  for (const { status } of stages) tally[status]++;
  return {
    ...state,
    ...{ life, stages, tally, ends, retriesUsed, rejectionsUsed, deadlineAtMs },
    deadlineWaived: deadlineWaived || state.deadlineWaived,
  };
}

export function escalated(state: PipelineState, record: RecordOf<"escalated">): PipelineState {
  const { escalationId: id, kind, stage, dispatchId, snapshot, atMs: raisedAtMs } = record;
  const escalations = new Map(state.escalations);
  escalations.set(id, { id, kind, stage, dispatchId, snapshot, raisedAtMs });
  return { ...state, escalations, escalationsRaised: state.escalationsRaised + 1 };
}

export function resolved(state: PipelineState, { escalationId }: RecordOf<"resolved">): PipelineState {
  const escalations = new Map(state.escalations);
  escalations.delete(escalationId);
  return { ...state, escalations };
}
