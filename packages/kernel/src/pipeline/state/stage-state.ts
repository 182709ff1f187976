import type { AgentResult, Clarification, EdgeDecision, ReviewFeedback, TaskEnvelope } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { FleetFacts } from "../../dispatch/fleet-facts.ts";
import type { RouteChoice, RouteQuestion, RouteRefusal } from "../../dispatch/route.ts";
import type { OfInstance } from "../../fleet/state/record.ts";
import type { GuardVerdict } from "../../guardrails/verdict.ts";
import type { EntropyState } from "../../trust/entropy/entropy.ts";
import type { GateCheckFinding } from "../gate/gate.ts";
import type { SpendLimit } from "../plan/spending.ts";
import type { StageStatusName } from "./machine.ts";

/** What a stage keeps in every status. */
export interface StageHistory {
  /** The current, next or last attempt; zero before the first. */
  readonly attempt: number;
  /** First attempt of the current round. Sending a stage back begins a round; retries are counted per round. */
  readonly roundStart: number;
  /** Highest attempt number used before a rewind (TUR-08): numbers are never reused. */
  readonly usedUpTo: number;
  readonly firstSentAtMs: number | undefined;
  /** Instances that failed in the current round, the latest last; absent when none did. */
  readonly failedOn?: readonly OfInstance[] | undefined;
  /** What the next attempt needs at least, where an agent stopped for lack of budget. */
  readonly needed?: SpendLimit | undefined;
  /** Feedback on the last attempt for the next one. */
  readonly feedback: ReviewFeedback | undefined;
  readonly clarifications: readonly Clarification[];
  /** A person approved the security flags. */
  readonly flagsApproved: boolean;
  /** How often each edge back was taken. */
  readonly edgesTaken: readonly number[];
  /** The last decisions about the edges that lead to it, then those about its edges back; absent without any. */
  readonly edges?: readonly EdgeDecision[] | undefined;
  /** Workspace of the last attempt that has one. Stored under this name. */
  readonly place: AttemptWorkspace | undefined;
  /** Verdicts of guardrails on the last answer; absent without guardrails. */
  readonly guardrails?: readonly GuardVerdict[] | undefined;
  /** Commit of the last attempt whose work was checked. */
  readonly kept: KeptCommit | undefined;
}

/** The folder and branch that the hub prepares for one attempt. */
export interface AttemptWorkspace {
  readonly attempt: number;
  readonly path: string;
  readonly branch: string;
  /** Changes are compared with this commit. */
  readonly baseCommit: string;
  /** The branch begins here: at the base, or at the commit kept of the attempt that was sent back. */
  readonly startCommit: string;
}

interface KeptCommit {
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
      /** The last failed attempt. */
      readonly sent: Sent | undefined;
      readonly finishedAtMs: number;
    })
  | (StageHistory & {
      readonly status: "SKIPPED";
      readonly reason: string;
      /** Set when it failed; absent when it never ran. */
      readonly failure: Failure | undefined;
      /** Pruned because the workflow ended elsewhere; it may run when that end is withdrawn. */
      readonly byEnd: boolean;
      readonly finishedAtMs: number;
    });

export type StageOf<Status extends StageStatusName> = Extract<StageState, { status: Status }>;

/** Why an attempt has not been sent yet. */
export type Wait =
  /** Can be sent as soon as the pipeline runs. */
  | { readonly kind: "turn" }
  | { readonly kind: "backoff"; readonly untilMs: number }
  /** No agent can take it. A person is asked unless agents are only busy. */
  | {
      readonly kind: "agent";
      /** Start of the wait, which orders the queue; absent in older records. */
      readonly sinceMs?: number;
      readonly step: RouteRefusal["step"];
      readonly reason: string;
      readonly escalationId: string | undefined;
    }
  | {
      readonly kind: "budget";
      readonly escalationId: string | undefined;
      /** An agent asked for more: only a person's answer or a raised budget ends the wait. */
      readonly untilAnswered?: true;
    }
  /** The tenant has spent what it may. A person is asked unless attempts under way may return some of it. */
  | { readonly kind: "tenant-limit"; readonly untilMs: number; readonly escalationId: string | undefined }
  /** An identical task is executed, and its outcome may answer this one (SAP V2 §6). */
  | { readonly kind: "identical"; readonly pipelineId: string }
  /** A person has to approve its security flags. */
  | { readonly kind: "approval"; readonly escalationId: string }
  /** References are being read again. */
  | { readonly kind: "refresh" }
  | { readonly kind: "stale"; readonly escalationId: string }
  /** Its workspace is being prepared. */
  | { readonly kind: "workspace" }
  /** Whether the task follows the constitution is not decided. */
  | { readonly kind: "alignment" }
  | { readonly kind: "no-workspace"; readonly escalationId: string; readonly reason: string }
  /** The deadline of the task has passed: a person decides whether to continue. */
  | { readonly kind: "deadline"; readonly escalationId: string };

/** A routing choice and the facts it was made from. */
export interface Routed {
  readonly choice: RouteChoice;
  readonly question: RouteQuestion;
  readonly facts: FleetFacts;
}

/** What a dispatched stage is doing. */
export type Phase =
  /** A further attempt is on its way. */
  | { readonly kind: "preparing"; readonly wait: Wait }
  | { readonly kind: "sent"; readonly sent: Sent; readonly entropy: EntropyState }
  /** Guardrails read the answer, and then the hub runs the contract's commands itself. */
  | {
      readonly kind: "verifying";
      readonly sent: Sent;
      readonly result: AgentResult;
      /** Set until the guardrails have decided: nobody may see the answer. */
      readonly guarding?: true | undefined;
      /** Set until alignment is decided: nobody may see the answer. */
      readonly aligning?: true | undefined;
    }
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
  /** API key of the agent; absent when unknown. */
  readonly agentKey?: string | undefined;
  readonly sentAtMs: number;
  readonly timeoutAtMs: number;
}

export interface Failure {
  readonly code: string;
  readonly reason: string;
  readonly result: AgentResult | undefined;
}

/** The attempt of a stage, if it has one. */
export function sentOf(stage: StageState): Sent | undefined {
  if (stage.status === "COMPLETED" || stage.status === "FAILED") return stage.sent;
  if (stage.status !== "DISPATCHED" || stage.phase.kind === "preparing") return undefined;
  return stage.phase.sent;
}

/** Why the next attempt of a stage is not sent yet. */
export function waitOf(stage: StageState): Wait | undefined {
  if (stage.status === "READY") return stage.wait;
  if (stage.status === "DISPATCHED" && stage.phase.kind === "preparing") return stage.phase.wait;
  return undefined;
}

/** The result of the last attempt of a stage at rest, if any. */
export function resultOf(stage: StageState): AgentResult | undefined {
  if (stage.status === "COMPLETED") return stage.result;
  return stage.status === "FAILED" || stage.status === "SKIPPED" ? stage.failure?.result : undefined;
}
