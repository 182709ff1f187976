import type {
  AgentResult,
  Artifact,
  ContextOut,
  PipelinePolicy,
  Stage,
  SubmitTaskRequest,
  UsedTool,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Refreshed } from "../../dispatch/freshness.ts";
import type { CacheIdentity } from "../../governance/cache/identity.ts";
import type { LearningIdentity } from "../../governance/learning/lessons.ts";
import type { CheckFinding } from "../../governance/report.ts";
import type { Guarded } from "../../guardrails/verdict.ts";
import type { Verification } from "../gate/gate.ts";
import type { PipelinePlan } from "../plan/plan.ts";
import type { SpendLimit } from "../plan/spending.ts";
import type { Delivery } from "../state/delivery.ts";
import type { AttemptWorkspace } from "../state/stage-state.ts";
import type { PipelineState, ReviewOf, RunLabel } from "../state/state.ts";
import type { ReportedStep } from "../state/steps.ts";
import type { BranchPlan } from "./command.ts";

/** Inputs of a pipeline. Each may come twice, late, or out of order. */
export type PipelineInput =
  | {
      readonly type: "submit";
      readonly pipelineId: string;
      readonly tenantId: string;
      readonly traceId: string;
      /** The caller's span; absent without tracing. */
      readonly parentSpanId?: string | undefined;
      readonly templateId: string;
      readonly name: string;
      readonly task: SubmitTaskRequest;
      /** Of the content of a governed task, for the audit record. */
      readonly taskDigest?: string | undefined;
      /** HEAD of the shared folder that the task names, before any agent worked there. */
      readonly rootCommit?: string | undefined;
      readonly stages: readonly Stage[];
      readonly policy: PipelinePolicy | undefined;
      /** What `acceptPlan` made of these stages, where the caller has it: it is not planned again. */
      readonly plan?: PipelinePlan | undefined;
      /** Set where outcomes of its task are reused (SAP V2 §6). */
      readonly cache?: CacheIdentity | undefined;
      /** Set for governed tasks, which learn from earlier ones (SAP V2 §7). */
      readonly learning?: LearningIdentity | undefined;
      /** Set where it begins with a stage of another pipeline. */
      readonly rerun?: Rerun | undefined;
      /** Set where its agent reviews the work of another pipeline. */
      readonly reviewOf?: ReviewOf | undefined;
      readonly by: Actor;
    }
  /** The fleet or the policy has changed: stages that wait for an agent are routed again. */
  | { readonly type: "wake" }
  // From agents and those who carry messages to them.
  | { readonly type: "result"; readonly dispatchId: string; readonly answer: Answer }
  | {
      readonly type: "not-delivered";
      readonly dispatchId: string;
      readonly reason: string;
      /** Its agent was not connected any more: nothing left the hub, and nobody failed. */
      readonly away?: true;
    }
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
      /** Tool uses and turns so far. */
      readonly steps: number;
      /** The tool in use. */
      readonly tool?: UsedTool | undefined;
    }
  | { readonly type: "step"; readonly dispatchId: string; readonly step: ReportedStep }
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
      readonly made: PreparedWorkspace;
    }
  /** The work of an attempt that is over was committed to its branch before its workspace was removed. */
  | { readonly type: "work-left"; readonly dispatchId: string; readonly commit: string }
  | { readonly type: "verified"; readonly dispatchId: string; readonly verification: Verification }
  | { readonly type: "guarded"; readonly dispatchId: string; readonly guarded: Guarded }
  /** What the checks of the constitution found. */
  | {
      readonly type: "alignment-checked";
      readonly subject: number;
      readonly dispatchId: string;
      readonly findings: readonly CheckFinding[];
    }
  /** The run of a consultation has ended, with or without a verdict. */
  | {
      readonly type: "consulted";
      readonly subject: number;
      /** Of the consultation. */
      readonly dispatchId: string;
      readonly verdict: "VALID" | "NON_CONSTITUTIONAL" | "ESCALATE";
      readonly notes: string;
      readonly packId: string;
    }
  // From people and reviewers.
  | {
      readonly type: "review";
      readonly stageId: string;
      readonly dispatchId: string;
      readonly verdict: ReviewVerdict;
      readonly reason: string;
      readonly by: Actor;
    }
  /** The review run has ended, with or without a verdict. */
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
      /** Absent kinds are unchanged. */
      readonly budget: SpendLimit;
      readonly deadlineAtMs: number | undefined;
      readonly reason: string;
      readonly by: Actor;
    }
  | {
      readonly type: "label";
      /** An empty value removes a label. */
      readonly labels: readonly RunLabel[];
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
      /** The person's own work; absent accepts the result of the last attempt. */
      readonly provided: ProvidedWork | undefined;
      readonly reason: string;
      readonly by: Actor;
    }
  | {
      readonly type: "resolve";
      readonly escalationId: string;
      readonly resolution: string;
      /** The reason given with the answer; may be empty. */
      readonly reason?: string;
      /** Of a call of a tool: the arguments to use instead. */
      readonly edited?: JsonObject;
      readonly by: Actor;
    }
  /** Rewind (TUR-08): takes the pipeline and its branches back to a version. */
  | {
      readonly type: "rewind";
      /** Chosen by the caller, to match the outcome of setting the branches. */
      readonly rewindId: string;
      /** The state at that version: the fold of the records up to it. */
      readonly past: PipelineState;
      /** The version that the caller saw; at any other the rewind is refused. */
      readonly seen?: number | undefined;
      readonly branches: BranchPlan;
      readonly atRisk: readonly WorkAtRisk[];
      /** Discard the work at risk. */
      readonly discard: boolean;
      readonly reason: string;
      readonly by: Actor;
    }
  /** The branches could not be set. */
  | { readonly type: "branches-not-restored"; readonly reason: string; readonly fix: string }
  /** A message about the run could not be delivered in its time. */
  | {
      readonly type: "undelivered";
      readonly delivery: Delivery;
      /** The receiver, without the secrets that its address may contain. */
      readonly host: string;
      readonly reason: string;
    };

/** The answer of an agent: a result, or why it cannot be read. */
export type Answer =
  | { readonly kind: "result"; readonly result: AgentResult }
  | {
      readonly kind: "unreadable";
      readonly reason: string;
      /** The text received instead, if it is text. */
      readonly raw?: string | undefined;
    };

/** Outcome of preparing a workspace. */
export type PreparedWorkspace =
  | ({ readonly ok: true } & Omit<AttemptWorkspace, "attempt">)
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
      /** The stage to send back; undefined is the one under review. */
      readonly targetStageId: string | undefined;
      readonly instructions: readonly string[];
    }
  | { readonly kind: "fail" };

/** The work of a person in place of an agent. */
export interface ProvidedWork {
  readonly summary: string;
  /** Empty when there is none. */
  readonly commitSha: string;
  readonly artifacts: readonly Artifact[];
  readonly contextOut: ContextOut | undefined;
  /** Data for conditions and mappings of later stages. */
  readonly data: JsonObject | undefined;
}

export interface Actor {
  readonly kind: "human" | "agent" | "orchestrator" | "system";
  /** For an agent, its instance id. */
  readonly id: string;
  /** Required for an agent that reviews: its pack. */
  readonly packId?: string | undefined;
  /** The API key of the call. Absent when the hub has no keys, so that people cannot be distinguished. */
  readonly keyId?: string | undefined;
}

/**
 * A new pipeline that begins with a stage of another one (TUR-08). It has the plan of that one, and its results but for
 * those of the stage and all that depends on it. The other one stays as it is.
 */
export interface Rerun {
  readonly origin: PipelineState;
  readonly stageId: string;
  readonly reason: string;
  /** What the stage gets; undefined is what it would get anyway. */
  readonly inputs: JsonObject | undefined;
  readonly mergeInputs: boolean;
  /** Instructions for its agent beyond the contract. */
  readonly instructions: readonly string[];
}

/** Work that a rewind would discard, or a branch that it cannot set because it is checked out. */
export interface WorkAtRisk {
  readonly kind: "uncommitted" | "foreign" | "checked-out";
  readonly branch: string;
  readonly detail: string;
}

export type InputOf<Type extends PipelineInput["type"]> = Extract<PipelineInput, { type: Type }>;
