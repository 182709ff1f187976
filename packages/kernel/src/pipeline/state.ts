import type {
  AgentResult,
  Clarification,
  EscalationKind,
  EscalationSnapshot,
  PipelineSummary,
  ReviewFeedback,
  SubmitTaskRequest,
  TaskEnvelope,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { FleetFacts } from "../dispatch/fleet-facts.ts";
import type { RouteChoice, RouteQuestion, RouteRefusal } from "../dispatch/route.ts";
import type { OfInstance } from "../fleet/record.ts";
import type { EntropyState } from "../trust/entropy/entropy.ts";
import type { Ledger, SpendLimit } from "./budget.ts";
import type { GateCheckFinding } from "./gate.ts";
import type { PipelineStatusName, StageStatusName } from "./machine.ts";
import type { PipelinePlan } from "./plan.ts";

/** All that is known of one pipeline. It is what the records say, nothing else. */
export interface PipelineState {
  readonly id: string;
  readonly tenantId: string;
  readonly traceId: string;
  /** The span of whoever submitted it; absent when nobody traces. */
  readonly parentSpanId?: string | undefined;
  readonly templateId: string;
  readonly name: string;
  /** The key of whoever submitted it; absent where that is not known. */
  readonly submittedBy?: string | undefined;
  /** Keys that agents came in with when they were sent something of it; absent where none is known. */
  readonly agentKeys?: readonly string[] | undefined;
  /** Packs that were sent an attempt, and their instances as `pack/instance`; absent before the first. */
  readonly agents?: readonly string[] | undefined;
  readonly task: SubmitTaskRequest;
  /** Set where it begins with a stage of another pipeline (TUR-08). */
  readonly origin?: Origin | undefined;
  /** Set where its agent reviews the work of another pipeline (PIP-06). */
  readonly reviewOf?: ReviewOf | undefined;
  /** Set where a person has given a stage other inputs than it would get. */
  readonly edited?: EditedInputs | undefined;
  readonly plan: PipelinePlan;
  readonly life: PipelineLife;
  /** In the order of the plan. */
  readonly stages: readonly StageState[];
  /** How many stages are in which status. */
  readonly tally: Readonly<Record<StageStatusName, number>>;
  readonly retriesUsed: number;
  readonly rejectionsUsed: number;
  /** Stages that have ended the workflow with `completed`, for as long as they stay completed. */
  readonly ends: readonly number[];
  readonly ledger: Ledger;
  /** The commit that the first stages begin with, once it is known. It is looked up once. */
  readonly rootCommit: string | undefined;
  /** Attempts that left work at which nobody looked, as STAGE/ATTEMPT. */
  readonly left: readonly string[];
  /** Questions to a person that are still open. */
  readonly escalations: ReadonlyMap<string, OpenEscalation>;
  readonly escalationsRaised: number;
  readonly createdAtMs: number;
  readonly deadlineAtMs: number | undefined;
  /** A person wants the result even after the deadline of the task. */
  readonly deadlineWaived: boolean;
  readonly updatedAtMs: number;
  /** Records so far. */
  readonly version: number;
}

/** The work that is reviewed, and the pack that did it, which must not review it. */
export interface ReviewOf {
  readonly pipelineId: string;
  readonly stageId: string;
  readonly dispatchId: string;
  readonly packId: string;
}

/** Where a pipeline comes from that begins with a stage of another one. */
export interface Origin {
  readonly pipelineId: string;
  readonly stageId: string;
  /** The other pipeline's, at that moment. */
  readonly version: number;
  readonly reason: string;
  readonly taken: readonly string[];
  /** What the agent of its first stage is told beyond the contract; absent in older records. */
  readonly instructions?: readonly string[] | undefined;
}

export interface EditedInputs {
  readonly stage: number;
  readonly inputs: JsonObject;
  /** Laid over what the stage would get, field by field, instead of taking its place. */
  readonly merge: boolean;
}

/** Where the pipeline stands, with only the data that belongs there. */
export type PipelineLife =
  | { readonly status: "PENDING" }
  | { readonly status: "RUNNING" }
  | {
      readonly status: "PAUSED";
      readonly reason: string;
      readonly sinceMs: number;
      /** It was paused with its tenant, and goes on with it. */
      readonly halted?: true;
    }
  | { readonly status: "COMPLETED"; readonly summary: PipelineSummary; readonly atMs: number }
  | { readonly status: "FAILED"; readonly reason: string; readonly atMs: number }
  | { readonly status: "ABORTED"; readonly reason: string; readonly by: string; readonly atMs: number };

export type LifeOf<Status extends PipelineStatusName> = Extract<PipelineLife, { status: Status }>;

export interface OpenEscalation {
  readonly id: string;
  readonly kind: EscalationKind;
  /** Place of the stage it is about; undefined for the pipeline as a whole. */
  readonly stage: number | undefined;
  readonly dispatchId: string;
  readonly snapshot: EscalationSnapshot;
  readonly raisedAtMs: number;
}

/** What every stage carries through its life. */
export interface StageHistory {
  /** The attempt under way, the next one, or the last one; zero before the first. */
  readonly attempt: number;
  /** The attempt with which the present round began: a rewind begins a new one, and retries are counted in it. */
  readonly roundStart: number;
  /** Numbers up to this one belong to attempts that a person has taken back (TUR-08): the next is above them. */
  readonly usedUpTo: number;
  readonly firstSentAtMs: number | undefined;
  /** Instances on which attempts of the present round failed, the latest last; absent when none did. */
  readonly failedOn?: readonly OfInstance[] | undefined;
  /** What the next attempt is told about the last one. */
  readonly feedback: ReviewFeedback | undefined;
  readonly clarifications: readonly Clarification[];
  /** Security flags that a person has let pass. */
  readonly flagsApproved: boolean;
  /** How often each edge that goes back was taken. */
  readonly edgesTaken: readonly number[];
  /** The place that was made for its last attempt that has one. */
  readonly place: Place | undefined;
  /** What was kept of its last attempt whose work was looked at. */
  readonly kept: KeptCommit | undefined;
}

/** A folder with a branch, made by the hub for one attempt. */
export interface Place {
  readonly attempt: number;
  readonly path: string;
  readonly branch: string;
  /** What was changed is compared with this commit. */
  readonly baseCommit: string;
  /** The branch begins here: at the base, or at what was kept of the attempt that was sent back. */
  readonly startCommit: string;
}

export interface KeptCommit {
  readonly attempt: number;
  readonly commit: string;
}

export type StageState =
  | (StageHistory & { readonly status: "PENDING" })
  | (StageHistory & {
      readonly status: "READY";
      readonly wait: Wait;
      readonly inputs: JsonObject | undefined;
    })
  | (StageHistory & {
      readonly status: "DISPATCHED";
      readonly phase: Phase;
      readonly inputs: JsonObject | undefined;
    })
  | (StageHistory & {
      readonly status: "COMPLETED";
      readonly result: AgentResult;
      readonly sent: Sent;
      readonly finishedAtMs: number;
    })
  | (StageHistory & {
      readonly status: "FAILED";
      readonly failure: Failure;
      /** The attempt that failed last. */
      readonly sent: Sent | undefined;
      readonly finishedAtMs: number;
    })
  | (StageHistory & {
      readonly status: "SKIPPED";
      readonly reason: string;
      /** Set when it ran and failed; absent when it never ran. */
      readonly failure: Failure | undefined;
      /** It was left out because the workflow ended elsewhere, and may run when that end is taken back. */
      readonly byEnd: boolean;
      readonly finishedAtMs: number;
    });

export type StageOf<Status extends StageStatusName> = Extract<StageState, { status: Status }>;

/** Why an attempt has not been sent yet. */
export type Wait =
  /** It can be sent as soon as the pipeline runs and nothing stands before it. */
  | { readonly kind: "turn" }
  | { readonly kind: "backoff"; readonly untilMs: number }
  /** No agent can take it; a person is asked unless agents are only busy. */
  | {
      readonly kind: "agent";
      /** Since when, which is its place in the queue; absent in older records. */
      readonly sinceMs?: number;
      readonly step: RouteRefusal["step"];
      readonly reason: string;
      readonly escalationId: string | undefined;
    }
  | { readonly kind: "budget"; readonly escalationId: string | undefined }
  /** A person has to let its security flags pass. */
  | { readonly kind: "approval"; readonly escalationId: string }
  /** References are being read again. */
  | { readonly kind: "refresh" }
  | { readonly kind: "stale"; readonly escalationId: string }
  /** A place to work in is being made. */
  | { readonly kind: "workspace" }
  | { readonly kind: "no-workspace"; readonly escalationId: string; readonly reason: string }
  /** The task's own deadline has passed: a person has to say whether a result is still of use. */
  | { readonly kind: "deadline"; readonly escalationId: string };

/** A choice that was made, and what it was made from. */
export interface Routed {
  readonly choice: RouteChoice;
  readonly question: RouteQuestion;
  readonly facts: FleetFacts;
}

/** What a stage that an agent has, or had, is about. */
export type Phase =
  /** A further attempt is on its way. */
  | { readonly kind: "preparing"; readonly wait: Wait }
  | { readonly kind: "sent"; readonly sent: Sent; readonly entropy: EntropyState }
  /** The hub runs the contract's commands itself. */
  | { readonly kind: "verifying"; readonly sent: Sent; readonly result: AgentResult }
  | {
      readonly kind: "reviewing";
      readonly sent: Sent;
      readonly result: AgentResult;
      readonly checks: readonly GateCheckFinding[];
      readonly reviewer: "agent" | "person";
      readonly escalationId: string | undefined;
    }
  | {
      readonly kind: "asking";
      readonly sent: Sent;
      readonly result: AgentResult;
      readonly question: string;
      readonly escalationId: string;
    };

/** An attempt that was sent. */
export interface Sent {
  readonly dispatchId: string;
  readonly attempt: number;
  readonly choice: RouteChoice;
  readonly envelope: TaskEnvelope;
  readonly granted: SpendLimit;
  /** The key that the agent came in with; absent where that is not known. */
  readonly agentKey?: string | undefined;
  readonly sentAtMs: number;
  readonly timeoutAtMs: number;
}

export interface Failure {
  readonly code: string;
  readonly reason: string;
  readonly result: AgentResult | undefined;
}

/** The attempt that a stage waits for or works on, if it has one. */
export function sentOf(stage: StageState): Sent | undefined {
  if (stage.status === "COMPLETED" || stage.status === "FAILED") return stage.sent;
  if (stage.status !== "DISPATCHED" || stage.phase.kind === "preparing") return undefined;
  return stage.phase.sent;
}

/** What keeps the next attempt of a stage from being sent, if that is what it is about. */
export function waitOf(stage: StageState): Wait | undefined {
  if (stage.status === "READY") return stage.wait;
  if (stage.status === "DISPATCHED" && stage.phase.kind === "preparing") return stage.phase.wait;
  return undefined;
}

/** What the last attempt of a stage that has come to rest gave, if it gave anything. */
export function resultOf(stage: StageState): AgentResult | undefined {
  if (stage.status === "COMPLETED") return stage.result;
  return stage.status === "FAILED" || stage.status === "SKIPPED" ? stage.failure?.result : undefined;
}

export function hasEnded({ life }: PipelineState): boolean {
  return life.status === "COMPLETED" || life.status === "FAILED" || life.status === "ABORTED";
}

/** Attempts that an agent has, and whose answer is awaited. A pipeline that has ended awaits none. */
export function attemptsUnderWay({
  life,
  stages,
}: PipelineState): readonly { readonly stage: number; readonly sent: Sent }[] {
  if (life.status !== "RUNNING" && life.status !== "PAUSED") return [];
  return stages.flatMap((one, stage) =>
    one.status === "DISPATCHED" && one.phase.kind === "sent" ? [{ stage, sent: one.phase.sent }] : [],
  );
}
