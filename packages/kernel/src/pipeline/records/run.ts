import {
  type PipelinePolicy,
  PipelinePolicySchema,
  type PipelineSummary,
  type ReviewFeedback,
  type Stage,
  type SubmitTaskRequest,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { CacheIdentity } from "../../governance/cache/identity.ts";
import type { LearningIdentity } from "../../governance/learning/lessons.ts";
import { type PipelinePlan, planPipeline } from "../plan/plan.ts";
import { budgetOf, noSpending, type SpendLimit } from "../plan/spending.ts";
import { live } from "../state/fold.ts";
import type { StageHistory, StageState } from "../state/stage-state.ts";
import type { Origin, PipelineLife, PipelineState, ReviewOf, RunLabel } from "../state/state.ts";
import { dropSteps } from "../state/steps.ts";
import type { RecordOf } from "./record.ts";

/** The run as a whole: how it begins, stops, ends and is rewound. */
export type RunRecord =
  | {
      readonly type: "created";
      readonly pipelineId: string;
      readonly tenantId: string;
      readonly traceId: string;
      /** The caller's span; absent without tracing. */
      readonly parentSpanId?: string | undefined;
      readonly templateId: string;
      readonly name: string;
      /** The API key of the submitter; absent when unknown. */
      readonly submittedBy?: string | undefined;
      readonly task: SubmitTaskRequest;
      /** HEAD of the shared folder that the task names, before any agent worked there. */
      readonly rootCommit?: string | undefined;
      readonly stages: readonly Stage[];
      readonly policy: PipelinePolicy | undefined;
      readonly reviewOf?: ReviewOf | undefined;
      readonly cache?: CacheIdentity | undefined;
      readonly learning?: LearningIdentity | undefined;
      readonly atMs: number;
    }
  /** A rerun: it starts from a stage of another pipeline and takes over the results that do not depend on it. */
  | {
      readonly type: "taken-over";
      readonly origin: Origin;
      readonly taken: readonly { readonly stage: number; readonly state: StageState }[];
      readonly ends: readonly number[];
      readonly rootCommit: string | undefined;
      /** The first stage. */
      readonly target: number;
      readonly inputs: JsonObject | undefined;
      readonly mergeInputs: boolean;
      readonly feedback: ReviewFeedback | undefined;
      readonly atMs: number;
    }
  | { readonly type: "started"; readonly atMs: number }
  | {
      readonly type: "paused";
      readonly reason: string;
      /** Paused with its tenant, and resumed with it. */
      readonly halted?: true;
      readonly atMs: number;
    }
  | { readonly type: "resumed"; readonly by: string; readonly reason: string; readonly atMs: number }
  | { readonly type: "aborted"; readonly by: string; readonly reason: string; readonly atMs: number }
  | { readonly type: "pipeline-failed"; readonly reason: string; readonly atMs: number }
  | { readonly type: "pipeline-completed"; readonly summary: PipelineSummary; readonly atMs: number }
  | { readonly type: "deadline-passed"; readonly atMs: number }
  | { readonly type: "deadline-waived"; readonly atMs: number }
  | {
      readonly type: "limits-changed";
      /** The whole new budget. */
      readonly budget: SpendLimit;
      /** Absent leaves the deadline as it is. */
      readonly deadlineAtMs?: number;
      readonly by: string;
      readonly reason: string;
      readonly atMs: number;
    }
  | {
      readonly type: "labels-changed";
      /** All labels that the run has now. */
      readonly labels: readonly RunLabel[];
      readonly by: string;
      readonly atMs: number;
    }
  /** A rewind to an earlier or an abandoned version; stored under this name. */
  | {
      readonly type: "restored";
      readonly toVersion: number;
      readonly by: string;
      readonly reason: string;
      /** The new state. Stages that were under way are READY, with an unused attempt number. */
      readonly life: PipelineLife;
      readonly stages: readonly StageState[];
      readonly ends: readonly number[];
      readonly retriesUsed: number;
      readonly rejectionsUsed: number;
      readonly deadlineAtMs: number | undefined;
      readonly deadlineWaived: boolean;
      readonly atMs: number;
    };

export function created(record: RecordOf<"created">, plan = planOf(record)): PipelineState {
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
    cache,
    learning,
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
    ...(learning && { learning }),
    ...(cache && { cache: { ...cache, phase: "open" } }),
    plan,
    life: { status: "PENDING" },
    stages: plan.stages.map(() => ({ ...history, status: "PENDING" })),
    tally: { PENDING: plan.stages.length, READY: 0, DISPATCHED: 0, COMPLETED: 0, FAILED: 0, SKIPPED: 0 },
    retriesUsed: 0,
    rejectionsUsed: 0,
    ends: [],
    spending: noSpending,
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

function planOf({ stages, policy }: RecordOf<"created">): PipelinePlan {
  const planned = planPipeline(stages, policy);
  if (!planned.ok) throw new Error("only a pipeline that can be planned is created");
  return planned.plan;
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

/** The policy is the only place that readers of the plan take limits from. */
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

/** Results that were taken over belong to this pipeline from the start. */
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

/** Restores everything except spending, questions and numbers. No attempt continues with the steps of earlier ones. */
export function restored(state: PipelineState, record: RecordOf<"restored">): PipelineState {
  const { life, stages, ends, retriesUsed, rejectionsUsed, deadlineAtMs, deadlineWaived } = record;
  const tally = { PENDING: 0, READY: 0, DISPATCHED: 0, COMPLETED: 0, FAILED: 0, SKIPPED: 0 };
  for (const { status } of stages) tally[status]++;
  const all = [...stages.keys()];
  return {
    ...dropSteps(state, all),
    ...{ life, stages, tally, ends, retriesUsed, rejectionsUsed, deadlineAtMs },
    deadlineWaived: deadlineWaived || state.deadlineWaived,
  };
}
