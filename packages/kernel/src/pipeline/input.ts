import type {
  AgentResult,
  Artifact,
  ContextOut,
  PipelinePolicy,
  Ref,
  Stage,
  SubmitTaskRequest,
  UsedTool,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { SpendLimit } from "./budget.ts";
import type { Verification } from "./gate.ts";
import type { Rerun } from "./rerun.ts";
import type { BranchPlan, WorkAtRisk } from "./restore.ts";
import type { PipelineState, Place, ReviewOf } from "./state.ts";

/** What may happen to a pipeline. Every input may come twice, late, or out of order. */
export type PipelineInput =
  | {
      readonly type: "submit";
      readonly pipelineId: string;
      readonly tenantId: string;
      readonly traceId: string;
      /** The span of whoever submitted it; absent when nobody traces. */
      readonly parentSpanId?: string | undefined;
      readonly templateId: string;
      readonly name: string;
      readonly task: SubmitTaskRequest;
      /** Where a folder that the task names, and no commit of, stood before anybody worked there. */
      readonly rootCommit?: string | undefined;
      readonly stages: readonly Stage[];
      readonly policy: PipelinePolicy | undefined;
      /** Set where it begins with a stage of another pipeline. */
      readonly rerun?: Rerun | undefined;
      /** Set where its agent reviews the work of another pipeline. */
      readonly reviewOf?: ReviewOf | undefined;
      readonly by: Actor;
    }
  /** The fleet or the policy has changed: whatever waits for an agent may have one now. */
  | { readonly type: "wake" }
  // From agents and those who carry messages to them.
  | { readonly type: "result"; readonly dispatchId: string; readonly answer: Answer }
  | { readonly type: "not-delivered"; readonly dispatchId: string; readonly reason: string }
  | { readonly type: "agent-lost"; readonly dispatchId: string; readonly reason: string }
  | {
      readonly type: "turn";
      readonly dispatchId: string;
      readonly turnIndex: number;
      readonly confidence: number;
    }
  | {
      readonly type: "steps";
      readonly dispatchId: string;
      /** Tools it has used and turns it has taken so far. */
      readonly steps: number;
      /** The one that it uses now. */
      readonly tool?: UsedTool | undefined;
    }
  // From the clock.
  | { readonly type: "timer"; readonly timerId: string }
  // From what the hub looks up and checks itself.
  | {
      readonly type: "refreshed";
      readonly stageId: string;
      readonly attempt: number;
      readonly refs: readonly Refreshed[];
    }
  | {
      readonly type: "workspace-prepared";
      readonly stageId: string;
      readonly attempt: number;
      readonly made: MadePlace;
    }
  /** An attempt is over, and what it left is a commit on its branch: before its place goes. */
  | { readonly type: "work-left"; readonly dispatchId: string; readonly commit: string }
  | { readonly type: "verified"; readonly dispatchId: string; readonly verification: Verification }
  // From people and reviewers.
  | {
      readonly type: "review";
      readonly stageId: string;
      readonly dispatchId: string;
      readonly verdict: ReviewVerdict;
      readonly reason: string;
      readonly by: Actor;
    }
  /** The run of a reviewer agent has ended, with a verdict or without. */
  | {
      readonly type: "agent-reviewed";
      readonly stageId: string;
      readonly dispatchId: string;
      readonly verdict: ReviewVerdict | undefined;
      readonly reason: string;
      readonly by: Actor;
    }
  | { readonly type: "pause"; readonly reason: string; readonly by: Actor }
  | { readonly type: "resume"; readonly reason: string; readonly by: Actor }
  | { readonly type: "abort"; readonly reason: string; readonly by: Actor }
  | {
      readonly type: "change-limits";
      /** Absent kinds stay as they are. */
      readonly budget: SpendLimit;
      readonly deadlineAtMs: number | undefined;
      readonly reason: string;
      readonly by: Actor;
    }
  | {
      readonly type: "skip-stage";
      readonly stageId: string;
      readonly reason: string;
      readonly by: Actor;
    }
  | {
      readonly type: "cancel-stage";
      readonly stageId: string;
      readonly reason: string;
      readonly by: Actor;
    }
  | {
      readonly type: "override-stage";
      readonly stageId: string;
      /** What the person did; absent accepts what the last attempt returned. */
      readonly provided: ProvidedWork | undefined;
      readonly reason: string;
      readonly by: Actor;
    }
  | {
      readonly type: "resolve";
      readonly escalationId: string;
      readonly resolution: string;
      /** Why, in the words of whoever answers; empty when they said nothing. */
      readonly reason?: string;
      readonly by: Actor;
    }
  | {
      readonly type: "rewind";
      readonly stageId: string;
      readonly instructions: readonly string[];
      readonly reason: string;
      readonly by: Actor;
    }
  /** Project Rewind (TUR-08): the whole pipeline, and its branches, as they were at a version. */
  | {
      readonly type: "restore";
      /** Chosen by whoever asks, to hear what became of the branches. */
      readonly restoreId: string;
      /** The pipeline as it was then: what the records up to there give. */
      readonly past: PipelineState;
      /** The version that was looked at and agreed on, where one is named: at any other nothing is done. */
      readonly seen?: number | undefined;
      readonly branches: BranchPlan;
      readonly atRisk: readonly WorkAtRisk[];
      /** Go on, whatever is at risk. */
      readonly discard: boolean;
      readonly reason: string;
      readonly by: Actor;
    }
  /** The branches could not be set as they were. */
  | { readonly type: "branches-not-restored"; readonly reason: string; readonly fix: string };

/** What came back: a message, or the reason why it is none. */
export type Answer =
  | { readonly kind: "result"; readonly result: AgentResult }
  | {
      readonly kind: "unreadable";
      readonly reason: string;
      /** What was said instead, where that is text. */
      readonly raw?: string | undefined;
    };

/** A reference that was to be read again, as it was, and what came of it. */
export interface Refreshed {
  readonly ref: Ref;
  readonly outcome: RefreshOutcome;
}

export type RefreshOutcome =
  | {
      readonly ok: true;
      readonly digest: string;
      readonly versionOrSha: string;
      readonly fetchedAtMs: number;
    }
  | { readonly ok: false; readonly reason: string };

/** What came of making a place for an attempt. */
export type MadePlace =
  | ({ readonly ok: true } & Omit<Place, "attempt">)
  | {
      readonly ok: false;
      readonly reason: string;
      /** What a person can do about it. */
      readonly fix: string;
    };

export type ReviewVerdict =
  | { readonly kind: "approve" }
  | {
      readonly kind: "reject";
      /** The stage to go back to; undefined is the one under review. */
      readonly targetStageId: string | undefined;
      readonly instructions: readonly string[];
    }
  | { readonly kind: "fail" };

/** What a person did in place of an agent. */
export interface ProvidedWork {
  readonly summary: string;
  /** Empty when there is none. */
  readonly commitSha: string;
  readonly artifacts: readonly Artifact[];
  readonly contextOut: ContextOut | undefined;
  /** What conditions and data mapping of later stages read. */
  readonly data: JsonObject | undefined;
}

export interface Actor {
  readonly kind: "human" | "agent" | "orchestrator" | "system";
  /** Of an agent: of its instance. */
  readonly id: string;
  /** Of an agent: whoever reviews has to say what it is an instance of. */
  readonly packId?: string | undefined;
  /** The key it came with. Absent where nobody has one: then people cannot be told apart. */
  readonly keyId?: string | undefined;
}
