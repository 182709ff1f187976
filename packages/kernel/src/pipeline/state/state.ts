import type {
  AlignmentReport,
  EscalationKind,
  EscalationSnapshot,
  PipelineSummary,
  SubmitTaskRequest,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { RunCache } from "../../governance/cache/view.ts";
import type { LearningIdentity } from "../../governance/learning/lessons.ts";
import { type Amounts, addAmounts, noAmounts } from "../../spend-limits.ts";
import type { PipelinePlan } from "../plan/plan.ts";
import type { Spending } from "../plan/spending.ts";
import type { Delivery } from "./delivery.ts";
import type { PipelineStatusName, StageStatusName } from "./machine.ts";
import type { Sent, StageState } from "./stage-state.ts";
import type { Steps } from "./steps.ts";

/** The state of one pipeline: the fold of its records, nothing else. */
/** A name and a value by which people find a run (A §4.2). */
export interface RunLabel {
  readonly name: string;
  readonly value: string;
}

export interface PipelineState {
  readonly id: string;
  readonly tenantId: string;
  readonly traceId: string;
  /** The caller's span; absent without tracing. */
  readonly parentSpanId?: string | undefined;
  readonly templateId: string;
  readonly name: string;
  /** The API key of the submitter; absent when unknown. */
  readonly submittedBy?: string | undefined;
  /** API keys of the agents that got attempts of it; absent when none is known. */
  readonly agentKeys?: readonly string[] | undefined;
  /** Packs that got an attempt, and their instances as `pack/instance`; absent before the first. */
  readonly agents?: readonly string[] | undefined;
  readonly task: SubmitTaskRequest;
  /** Set for governed tasks, which learn from earlier ones (SAP V2 §7). */
  readonly learning?: LearningIdentity | undefined;
  /** Set where outcomes of its task are reused (SAP V2 §6). */
  readonly cache?: RunCache | undefined;
  /** Absent until the labels of the task are changed. */
  readonly labels?: readonly RunLabel[] | undefined;
  /** Set for a rerun, which begins with a stage of another pipeline (TUR-08). */
  readonly origin?: Origin | undefined;
  /** Set for a review run: its agent reviews work of another pipeline (PIP-06). */
  readonly reviewOf?: ReviewOf | undefined;
  /** Set when a person replaced the inputs of a stage. */
  readonly edited?: EditedInputs | undefined;
  readonly plan: PipelinePlan;
  readonly life: PipelineLife;
  /** In the order of the plan. */
  readonly stages: readonly StageState[];
  /** Number of stages in each status. */
  readonly tally: Readonly<Record<StageStatusName, number>>;
  readonly retriesUsed: number;
  readonly rejectionsUsed: number;
  /** Stages that ended the workflow with `completed`, while they stay completed. */
  readonly ends: readonly number[];
  readonly spending: Spending;
  /** Durable steps by stage; absent when no attempt has reported any. */
  readonly steps?: ReadonlyMap<number, Steps>;
  /** The commit that stages without dependencies begin with; looked up once. */
  readonly rootCommit: string | undefined;
  /** Attempts whose work was committed but never checked, as STAGE/ATTEMPT. */
  readonly left: readonly string[];
  /** Questions to a person that are still open. */
  readonly escalations: ReadonlyMap<string, OpenEscalation>;
  readonly escalationsRaised: number;
  /** Of a governed task, by the index of the stage; -1 is the task itself. Absent before the first. */
  readonly alignments?: ReadonlyMap<number, Alignment> | undefined;
  readonly createdAtMs: number;
  /** First dispatch of any attempt. No rewind changes it; absent before. */
  readonly firstSentAtMs?: number | undefined;
  readonly deadlineAtMs: number | undefined;
  /** A person accepts a result after the deadline of the task. */
  readonly deadlineWaived: boolean;
  readonly updatedAtMs: number;
  /** Records so far. */
  readonly version: number;
}

/** Rules are checked, agents are consulted, a person is asked, or it is decided. */
export type AlignmentPhase = "checking" | "consulting" | "asking" | "decided";

export interface Alignment {
  readonly phase: AlignmentPhase;
  readonly report: AlignmentReport;
}

/** The work under review, and its author's pack, which must not review it. */
export interface ReviewOf {
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly packId: string;
  /** Set where an agent is consulted about alignment, instead of reviewing work: the stage, or -1 for the task. */
  readonly consultedAbout?: number | undefined;
}

/** The pipeline and stage that a rerun begins with. */
export interface Origin {
  readonly pipelineId: string;
  readonly stageId: string;
  /** Version of the other pipeline at the time of the rerun. */
  readonly version: number;
  readonly reason: string;
  readonly taken: readonly string[];
  /** Instructions for the agent of its first stage beyond the contract; absent in older records. */
  readonly instructions?: readonly string[] | undefined;
}

interface EditedInputs {
  readonly stage: number;
  readonly inputs: JsonObject;
  /** Merged over the stage's own inputs field by field, instead of replacing them. */
  readonly merge: boolean;
}

/** The status of a pipeline, with the data of that status. */
export type PipelineLife =
  | { readonly status: "PENDING" }
  | { readonly status: "RUNNING" }
  | {
      readonly status: "PAUSED";
      readonly reason: string;
      readonly sinceMs: number;
      /** Paused with its tenant, and resumed with it. */
      readonly halted?: true;
    }
  | { readonly status: "COMPLETED"; readonly summary: PipelineSummary; readonly atMs: number }
  | { readonly status: "FAILED"; readonly reason: string; readonly atMs: number }
  | { readonly status: "ABORTED"; readonly reason: string; readonly by: string; readonly atMs: number };

export type LifeOf<Status extends PipelineStatusName> = Extract<PipelineLife, { status: Status }>;

export interface OpenEscalation {
  readonly id: string;
  readonly kind: EscalationKind;
  /** Index of the stage it is about; undefined for the pipeline as a whole. */
  readonly stage: number | undefined;
  readonly dispatchId: string;
  readonly snapshot: EscalationSnapshot;
  readonly raisedAtMs: number;
  /** The message that could not be delivered, for a question about one. */
  readonly delivery?: Delivery;
}

/** What the attempts under way were given and have not reported as spent. Without limits, nothing. */
export function grantedTo(state: PipelineState | undefined): Amounts {
  let sum = noAmounts;
  if (!state || state.spending.held.size === 0) return sum;
  for (const { sent } of activeAttempts(state)) {
    const { tokens = 0, costMicroUsd = 0 } = sent.granted;
    if (tokens === 0 && costMicroUsd === 0) continue;
    // Steps have reported a part already.
    const counted = state.spending.held.get(sent.dispatchId)?.counted ?? noAmounts;
    sum = addAmounts(sum, {
      tokens: Math.max(0, tokens - counted.tokens),
      costMicroUsd: Math.max(0, costMicroUsd - counted.costMicroUsd),
    });
  }
  return sum;
}

export function hasEnded({ life }: PipelineState): boolean {
  return life.status === "COMPLETED" || life.status === "FAILED" || life.status === "ABORTED";
}

/** A run in which an agent is consulted about alignment. Its inputs have the answer that may be withheld. */
export function isConsultation({ reviewOf }: Pick<PipelineState, "reviewOf">): boolean {
  return reviewOf?.consultedAbout !== undefined;
}

/**
 * Of a governed task nobody sees what is not checked against the constitution, and of a consultation nobody sees what its
 * agent reads and reports.
 */
export function isWithheld(run: Pick<PipelineState, "task" | "reviewOf">): boolean {
  return run.task.governance !== undefined || isConsultation(run);
}

/** Attempts whose answer is awaited. A pipeline that has ended awaits none. */
export function activeAttempts({
  life,
  stages,
}: PipelineState): readonly { readonly stage: number; readonly sent: Sent }[] {
  if (life.status !== "RUNNING" && life.status !== "PAUSED") return [];
  return stages.flatMap((one, stage) =>
    one.status === "DISPATCHED" && one.phase.kind === "sent" ? [{ stage, sent: one.phase.sent }] : [],
  );
}
