import type {
  Artifact,
  AuditEntry,
  CacheRecord,
  CancelReason,
  Environment,
  PipelinePolicy,
  Ref,
  Stage,
  SubmitTaskRequest,
  TaskEnvelope,
  Workspace,
} from "@baton/contract";
import type { FleetReport } from "../../fleet/decide/inputs-from-report.ts";
import type { AnswerOrigin, Guardrail } from "../../guardrails/policy.ts";
import type { Problem } from "../../problem.ts";
import type { Move } from "../records/moves.ts";
import type { PipelineRecord } from "../records/record.ts";
import type { Delivery } from "../state/delivery.ts";
import type { AttemptWorkspace } from "../state/stage-state.ts";
import type { OpenEscalation, PipelineState, ReviewOf } from "../state/state.ts";
import type { Actor, ReviewVerdict } from "./input.ts";

/**
 * An effect to carry out, at least once. Each command names its subject by a stable id, so that a repetition does
 * not matter.
 */
export type Command =
  | {
      readonly type: "send";
      readonly dispatchId: string;
      readonly instanceId: string;
      readonly envelope: TaskEnvelope;
    }
  | {
      readonly type: "cancel";
      readonly dispatchId: string;
      readonly attempt: number;
      readonly instanceId: string;
      readonly reason: CancelReason;
      readonly explanation: string;
    }
  /**
   * A timer fires once: the engine drops it when it hands in the input, before the commands that follow are carried
   * out. A timer that fired early is set again by these commands.
   */
  | { readonly type: "set-timer"; readonly timerId: string; readonly atMs: number }
  /** The timer is no longer needed. It may be gone already. */
  | { readonly type: "clear-timer"; readonly timerId: string }
  | {
      readonly type: "refresh";
      readonly stageId: string;
      readonly attempt: number;
      readonly refs: readonly Ref[];
      /** Base of relative paths. */
      readonly workspace?: Workspace | undefined;
      /** The hub prepared that workspace, and no agent has worked there yet. */
      readonly ownPlace?: boolean | undefined;
    }
  | {
      readonly type: "verify";
      readonly dispatchId: string;
      readonly environment: Environment | undefined;
      /** Commands beside those of the environment; absent in older stored commands. */
      readonly testsToRun?: readonly string[];
      readonly workspace: Workspace;
      /** Artifacts that the agent reports. */
      readonly artifacts: readonly Artifact[];
      /** Set when the hub prepared the workspace: its content is kept as a commit. */
      readonly place: AttemptWorkspace | undefined;
      /** The commit that the pipeline began with, if known. */
      readonly rootCommit?: string | undefined;
    }
  /** Checks an answer before anybody sees it (SACP §9.1). */
  | {
      readonly type: "guard";
      readonly dispatchId: string;
      readonly rules: readonly Guardrail[];
      readonly redactFailures: boolean;
      readonly origin: AnswerOrigin;
      /** The `GuardedAnswer` as JSON: its data is free-form. */
      readonly answer: string;
    }
  /** Runs the checks of the constitution on a task, or on an answer before anybody sees it (SAP V2 §4.1). */
  | {
      readonly type: "align";
      /** Index of the stage; -1 is the task. */
      readonly subject: number;
      /** Empty for the task. */
      readonly dispatchId: string;
      /** The `SelectedCheck`s as JSON: schemas are free-form. */
      readonly checks: string;
      /** The `AlignmentValues` as JSON. */
      readonly values: string;
    }
  /** Idempotent: one workspace per branch of a repository. */
  | {
      readonly type: "prepare-workspace";
      readonly dispatchId: string;
      readonly stageId: string;
      readonly attempt: number;
      readonly repository: string;
      readonly branch: string;
      /** Merged, the base that changes are compared with. Empty means the repository's HEAD. */
      readonly base: readonly string[];
      /** The commit to begin with; default: the base. */
      readonly start: string | undefined;
      /** Subject line of its commits; absent in older stored commands. */
      readonly subject?: string | undefined;
    }
  /** The workspace is no longer used. The hub's settings say when it is removed. */
  | {
      readonly type: "release-workspace";
      readonly dispatchId: string;
      readonly repository: string;
      readonly branch: string;
      readonly completed: boolean;
    }
  /** Sets branches to their commits at a version; the replaced commits are kept under another name. */
  | {
      readonly type: "restore-branches";
      readonly restoreId: string;
      readonly repository: string;
      /** Last abandoned version: the replaced commits are kept under this number. */
      readonly abandoned: number;
      readonly branches: BranchPlan;
    }
  | { readonly type: "request-review"; readonly stageId: string; readonly dispatchId: string }
  /** Starts the review run of this attempt; one attempt has one review run. */
  | {
      readonly type: "dispatch-review";
      readonly dispatchId: string;
      readonly submission: ReviewSubmission;
    }
  /** The attempt is no longer under review. */
  | { readonly type: "withdraw-review"; readonly dispatchId: string }
  /** Sent to the pipeline whose work was reviewed. */
  | ({
      readonly type: "report-review";
      readonly verdict: ReviewVerdict | undefined;
      readonly reason: string;
      readonly by: Actor;
    } & ReviewOf)
  /** Part of the transaction, as timers are. */
  | { readonly type: "store-outcome"; readonly outcome: CacheRecord; readonly bytes: Uint8Array }
  /** Sent to the pipeline about which an agent was consulted. */
  | ({
      readonly type: "report-consultation";
      readonly consultedAbout: number;
      readonly verdict: "VALID" | "NON_CONSTITUTIONAL" | "ESCALATE";
      readonly notes: string;
      readonly packId: string;
    } & ReviewOf)
  | { readonly type: "ask-person"; readonly escalation: OpenEscalation }
  /** Sends a message about the run to a receiver outside. */
  | { readonly type: "deliver"; readonly delivery: Delivery }
  | { readonly type: "notify-fleet"; readonly report: FleetReport };

/** Records and audit entries are durable, together, before any command leaves. */
export type Decision =
  | {
      readonly accepted: true;
      readonly records: readonly PipelineRecord[];
      readonly audit: readonly AuditEntry[];
      readonly commands: readonly Command[];
      /** The state after the records, as `evolve` folds them. */
      readonly state: PipelineState;
      readonly moves: readonly Move[];
    }
  | { readonly accepted: false; readonly problem: Problem };

/** A run of its own in which a reviewer agent judges the work of a stage (A §4.3 step 6, PIP-06). */
export interface ReviewSubmission {
  readonly name: string;
  readonly task: SubmitTaskRequest;
  readonly stages: readonly Stage[];
  readonly policy: PipelinePolicy;
  readonly reviewOf: ReviewOf;
}

/** The branches of a pipeline after a rewind. */
export interface BranchPlan {
  readonly set: readonly BranchSet[];
  /** Branches of attempts after that version. */
  readonly drop: readonly string[];
}

interface BranchSet {
  readonly branch: string;
  readonly commit: string;
  /** Create it when it is gone: an earlier rewind removed it. */
  readonly create: boolean;
}
