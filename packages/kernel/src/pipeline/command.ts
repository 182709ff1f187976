import type {
  Artifact,
  AuditEntry,
  CancelReason,
  Environment,
  Ref,
  TaskEnvelope,
  Workspace,
} from "@baton/contract";
import type { Problem } from "../problem.ts";
import type { Actor, ReviewVerdict } from "./input.ts";
import type { Move } from "./moves.ts";
import type { PipelineRecord } from "./record.ts";
import type { BranchPlan } from "./restore.ts";
import type { ReviewSubmission } from "./review-task.ts";
import type { OpenEscalation, PipelineState, Place, ReviewOf } from "./state.ts";

/**
 * What is to be done now. A command may be carried out more than once: each names what it is about by an id that does
 * not change, and a second time must not matter.
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
   * A timer rings once: whoever hands in the ring drops the timer, before the commands that follow from it are carried
   * out. One that rang before its time is among them, set again for the same moment.
   */
  | { readonly type: "set-timer"; readonly timerId: string; readonly atMs: number }
  /** What the timer was for is over. One that is gone already may be cleared all the same. */
  | { readonly type: "clear-timer"; readonly timerId: string }
  | {
      readonly type: "refresh";
      readonly stageId: string;
      readonly attempt: number;
      readonly refs: readonly Ref[];
      /** Where paths begin that are not absolute. */
      readonly workspace?: Workspace | undefined;
      /** The hub made that place, and nobody has worked there yet. */
      readonly ownPlace?: boolean | undefined;
    }
  | {
      readonly type: "verify";
      readonly dispatchId: string;
      readonly environment: Environment | undefined;
      /** Commands beside those of the environment; absent in older orders. */
      readonly testsToRun?: readonly string[];
      readonly workspace: Workspace;
      /** What the agent says it made. */
      readonly artifacts: readonly Artifact[];
      /** Set where the hub made the place: what is in there is kept as a commit. */
      readonly place: Place | undefined;
      /** The commit that the pipeline began with, if that is known. */
      readonly rootCommit?: string | undefined;
    }
  /** The same branch of the same repository is one place, however often it is asked for. */
  | {
      readonly type: "prepare-workspace";
      readonly dispatchId: string;
      readonly stageId: string;
      readonly attempt: number;
      readonly repository: string;
      readonly branch: string;
      /** Merged, they are what changes are compared with. None is where the repository stands now. */
      readonly base: readonly string[];
      /** The commit to begin with; undefined is the base. */
      readonly start: string | undefined;
      /** What a commit of it is about, in a line. Orders of before have none. */
      readonly subject?: string | undefined;
    }
  /** Nobody works there any more. It is removed now or later, as the hub is set. */
  | {
      readonly type: "release-workspace";
      readonly dispatchId: string;
      readonly repository: string;
      readonly branch: string;
      readonly completed: boolean;
    }
  /** Sets branches as they were at a version; what stood there is kept under another name. */
  | {
      readonly type: "restore-branches";
      readonly restoreId: string;
      readonly repository: string;
      /** The last version of what is abandoned: its commits are kept under this number. */
      readonly abandoned: number;
      readonly branches: BranchPlan;
    }
  | { readonly type: "request-review"; readonly stageId: string; readonly dispatchId: string }
  /** A run in which a reviewer agent judges this attempt; the same attempt always has the same run. */
  | {
      readonly type: "dispatch-review";
      readonly dispatchId: string;
      readonly submission: ReviewSubmission;
    }
  /** The attempt is no longer under review. */
  | { readonly type: "withdraw-review"; readonly dispatchId: string }
  /** To the pipeline whose work was reviewed. */
  | ({
      readonly type: "report-review";
      readonly verdict: ReviewVerdict | undefined;
      readonly reason: string;
      readonly by: Actor;
    } & ReviewOf)
  | { readonly type: "ask-person"; readonly escalation: OpenEscalation }
  | { readonly type: "tell-fleet"; readonly news: FleetNews };

/** What the fleet has to know of a dispatch: who is busy, who fails, who lies. */
export type FleetNews =
  | {
      readonly kind: "dispatched";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly taskType: string;
    }
  | {
      readonly kind: "ended";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly taskType: string;
      readonly outcome: DispatchOutcome;
      readonly reason: string;
    }
  | {
      /** What a result claimed was checked. */
      readonly kind: "claims";
      readonly dispatchId: string;
      readonly packId: string;
      readonly instanceId: string;
      readonly held: boolean;
      readonly reason: string;
    };

/** `failed` came with a valid result that says so, `invalid` with one that is none, `lost` with none at all. */
export type DispatchOutcome = "succeeded" | "failed" | "invalid" | "lost" | "cancelled";

/** Records and audit entries are durable, together, before any command leaves. */
export type Decision =
  | {
      readonly accepted: true;
      readonly records: readonly PipelineRecord[];
      readonly audit: readonly AuditEntry[];
      readonly commands: readonly Command[];
      /** What the records make of the state: the same as `evolve` would. */
      readonly state: PipelineState;
      readonly moves: readonly Move[];
    }
  | { readonly accepted: false; readonly problem: Problem };
