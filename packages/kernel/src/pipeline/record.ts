import type {
  AgentResult,
  ArtifactAction,
  Clarification,
  EscalationKind,
  EscalationSnapshot,
  PipelinePolicy,
  PipelineSummary,
  ReviewFeedback,
  Stage,
  SubmitTaskRequest,
  TaskEnvelope,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { FleetFacts } from "../dispatch/fleet-facts.ts";
import type { RouteChoice, RouteQuestion } from "../dispatch/route.ts";
import type { EntropyState } from "../trust/entropy/entropy.ts";
import type { SpendLimit, Spent } from "./budget.ts";
import type { GateCheckFinding } from "./gate.ts";
import type { Failure, Origin, PipelineLife, Place, ReviewOf, Sent, StageState, Wait } from "./state.ts";

/**
 * What was decided about a pipeline. Records are durable before anything is done about them, and replaying them gives
 * the state again: whatever a decision looked at and the state will need is in the record.
 */
export type PipelineRecord =
  | {
      readonly type: "created";
      readonly pipelineId: string;
      readonly tenantId: string;
      readonly traceId: string;
      /** The span of whoever submitted it; absent when nobody traces. */
      readonly parentSpanId?: string | undefined;
      readonly templateId: string;
      readonly name: string;
      /** The key of whoever submitted it; absent where that is not known. */
      readonly submittedBy?: string | undefined;
      readonly task: SubmitTaskRequest;
      /** Where a folder that the task names, and no commit of, stood before anybody worked there. */
      readonly rootCommit?: string | undefined;
      readonly stages: readonly Stage[];
      readonly policy: PipelinePolicy | undefined;
      readonly reviewOf?: ReviewOf | undefined;
      readonly atMs: number;
    }
  /** It begins with a stage of another pipeline, and has the results of that one which do not depend on it. */
  | {
      readonly type: "taken-over";
      readonly origin: Origin;
      readonly taken: readonly { readonly stage: number; readonly state: StageState }[];
      readonly ends: readonly number[];
      readonly rootCommit: string | undefined;
      /** The stage it begins with. */
      readonly target: number;
      readonly inputs: JsonObject | undefined;
      readonly mergeInputs: boolean;
      readonly feedback: ReviewFeedback | undefined;
      readonly atMs: number;
    }
  | { readonly type: "started"; readonly atMs: number }
  // A stage on its way to an agent.
  | {
      readonly type: "unblocked";
      readonly stage: number;
      readonly inputs: JsonObject | undefined;
      readonly atMs: number;
    }
  | {
      readonly type: "pruned";
      readonly stage: number;
      readonly reason: string;
      /** Left out because the workflow has ended elsewhere. */
      readonly byEnd: boolean;
      readonly atMs: number;
    }
  | { readonly type: "waited"; readonly stage: number; readonly wait: Wait; readonly atMs: number }
  | {
      readonly type: "dispatched";
      readonly stage: number;
      readonly attempt: number;
      readonly dispatchId: string;
      /** Chosen once; replay never chooses again. */
      readonly choice: RouteChoice;
      /** What the choice was made from, to ask later what another policy would have chosen. */
      readonly question: RouteQuestion;
      readonly facts: FleetFacts;
      readonly envelope: TaskEnvelope;
      readonly granted: SpendLimit;
      /** The key that the agent came in with: on whose behalf it works. Absent where that is not known. */
      readonly agentKey?: string | undefined;
      readonly timeoutAtMs: number;
      readonly atMs: number;
    }
  /** A place was made for the attempt, before it is sent. */
  | { readonly type: "prepared"; readonly stage: number; readonly place: Place; readonly atMs: number }
  // What comes back.
  | { readonly type: "received"; readonly stage: number; readonly result: AgentResult; readonly atMs: number }
  /** A result that counts for nothing: of another attempt, of a stage that has moved on, or not valid. */
  | {
      readonly type: "disregarded";
      readonly dispatchId: string;
      readonly reason: string;
      /** What a lost attempt turns out to have spent; undefined when it is not known. */
      readonly spent: Spent | undefined;
      readonly atMs: number;
    }
  | {
      readonly type: "observed";
      readonly stage: number;
      readonly entropy: EntropyState;
      readonly atMs: number;
    }
  /** What the attempt left in its place is a commit now, whatever becomes of it. */
  | {
      readonly type: "kept";
      readonly stage: number;
      readonly attempt: number;
      readonly commit: string;
      readonly atMs: number;
    }
  /** What git says happened to files of the result, where the agent said otherwise: a new file is new. */
  | {
      readonly type: "files-seen";
      readonly stage: number;
      readonly files: readonly { readonly path: string; readonly action: ArtifactAction }[];
      readonly atMs: number;
    }
  /** What an attempt that is over had left, and nobody looked at, is a commit on its branch: nothing is built on it. */
  | {
      readonly type: "left";
      readonly stage: number;
      readonly attempt: number;
      readonly commit: string;
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
  // How an attempt ends.
  | {
      readonly type: "retried";
      readonly stage: number;
      readonly wait: Wait;
      readonly feedback: ReviewFeedback | undefined;
      /** An answered question: the next attempt is not a retry and counts against nothing. */
      readonly clarification: Clarification | undefined;
      /** The attempt was cancelled for no fault of anybody's, and counts against nothing either. */
      readonly uncounted?: true;
      /** Gives back the reservation of an attempt that never reached its agent. */
      readonly release: string | undefined;
      /** Why the attempt before gave no result that counts; a store of before has records without it. */
      readonly reason?: string;
      readonly atMs: number;
    }
  /** A person stands in for an agent: the stage has a result that nobody was sent for. */
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
  | { readonly type: "skipped"; readonly stage: number; readonly failure: Failure; readonly atMs: number }
  | {
      readonly type: "rejected";
      /** Goes through REJECTED to READY. */
      readonly target: number;
      readonly inputs: JsonObject | undefined;
      /** All that depends on the target and had left PENDING. */
      readonly reset: readonly number[];
      readonly feedback: ReviewFeedback | undefined;
      /** The stage and edge that went back, for an edge of a graph. */
      readonly edge: { readonly stage: number; readonly edge: number } | undefined;
      /** A person's rewind and a bounded edge count against no limit of rejections. */
      readonly counts: boolean;
      readonly atMs: number;
    }
  /** The stage has ended the workflow with `completed`: from now on only what is required runs. */
  | { readonly type: "ended-early"; readonly stage: number; readonly reason: string; readonly atMs: number }
  /** Who had ended the workflow was rewound: what was left out for it is back to PENDING. */
  | { readonly type: "end-withdrawn"; readonly reset: readonly number[]; readonly atMs: number }
  // The pipeline as a whole.
  | {
      readonly type: "paused";
      readonly reason: string;
      /** With its tenant; it goes on with it. */
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
      /** The whole budget, as it is from now on. */
      readonly budget: SpendLimit;
      /** Absent leaves the deadline as it is. */
      readonly deadlineAtMs?: number;
      readonly by: string;
      readonly reason: string;
      readonly atMs: number;
    }
  /** A person has taken the whole pipeline to where it stood at an earlier version, or at one that was abandoned. */
  | {
      readonly type: "restored";
      readonly toVersion: number;
      readonly by: string;
      readonly reason: string;
      /** As it is from now on: what was under way then is ready, with a number that no attempt has had. */
      readonly life: PipelineLife;
      readonly stages: readonly StageState[];
      readonly ends: readonly number[];
      readonly retriesUsed: number;
      readonly rejectionsUsed: number;
      readonly deadlineAtMs: number | undefined;
      readonly deadlineWaived: boolean;
      readonly atMs: number;
    }
  // Questions to a person.
  | {
      readonly type: "escalated";
      readonly escalationId: string;
      readonly kind: EscalationKind;
      readonly stage: number | undefined;
      readonly dispatchId: string;
      readonly snapshot: EscalationSnapshot;
      readonly atMs: number;
    }
  | {
      readonly type: "resolved";
      readonly escalationId: string;
      readonly resolution: string;
      readonly by: string;
      readonly atMs: number;
    }
  | { readonly type: "flags-approved"; readonly stage: number; readonly atMs: number };

/** Of what counts for nothing, was only seen, or is of an attempt that is over, there is a record; nothing moves for it. */
export function movesAnything({ type }: PipelineRecord): boolean {
  return type !== "disregarded" && type !== "observed" && type !== "left";
}

export type RecordOf<Type extends PipelineRecord["type"]> = Extract<PipelineRecord, { type: Type }>;
