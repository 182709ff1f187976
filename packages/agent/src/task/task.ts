import type {
  AgentResult,
  Artifact,
  CheckName,
  Contract,
  EvidenceItem,
  ReviewFeedback,
  SafetyContext,
  TaskEnvelope,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Exec, ExecOptions } from "../exec/exec-options.ts";
import type { BlockerGiven, FailureOptions, OutcomeOptions } from "../outcomes/outcome-options.ts";

/** One attempt at a task, as the function of an agent sees it. */
export interface Task {
  /** All that was sent. */
  readonly envelope: TaskEnvelope;
  /** What is to be done, and how it will be judged. */
  readonly contract: Contract;
  /** What the agent may and may not do. */
  readonly safety: SafetyContext;
  /** The inputs that data mapping filled from earlier nodes (SACP §4.2). */
  readonly inputs: JsonObject;
  /** Why the attempt before this one was rejected, and what to do about it. */
  readonly feedback: ReviewFeedback | undefined;
  /** Answers to what was asked with `ask`, the oldest first. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  /** The folder to work in, when agent and hub share a file system. */
  readonly workspace: string | undefined;
  /** Aborted on cancel, at the deadline, and when the agent leaves. Its reason is a `TaskStopped`. */
  readonly signal: AbortSignal;

  /**
   * Runs a program with a list of arguments, never through a shell. What it prints becomes evidence. It counts as a
   * step. A command that fails gives `ok: false`; only a command that must not run throws.
   */
  exec(command: string, args?: readonly string[], options?: ExecOptions): Promise<Exec>;
  /** Runs the command that the contract names for a check; undefined when it names none. */
  check(name: CheckName, options?: ExecOptions): Promise<Exec | undefined>;
  /** Calls a tool that is a function here: allowed or not, counted as a step, told as events. */
  tool<Given extends JsonObject, Value>(
    name: string,
    args: Given,
    call: (args: Given, signal: AbortSignal) => Value | Promise<Value>,
  ): Promise<Value>;
  /** Counts a step that is no command, tool or turn. Named, it is held against the prohibited actions. */
  step(action?: string): void;
  /** Throws `ScopeMissing` unless the task gives the scope. */
  needScope(scope: string): void;
  /** Counts what models cost. Throws `BudgetSpent` once it is more than the attempt was given. */
  spend(usage: SpendGiven): void;

  /** Tells a piece of reasoning as it comes (SAOP §2 THOUGHT_STREAM). */
  think(chunk: string): void;
  /** Ends a turn (SAOP §1). Its thought is what was told with `think`, unless given. Counts as a step. */
  turn(turn: TurnGiven): void;

  /** Adds a piece of evidence that was not made by `exec`. */
  evidence(item: EvidenceGiven): void;
  /** Names a file that was created, changed or deleted, with the digest of its content. */
  artifact(path: string, action?: ArtifactActionName): Promise<Artifact>;
  decision(description: string, rationale?: string): void;
  risk(description: string): void;
  assumption(description: string): void;
  /** How to undo the work. */
  rollback(notes: string): void;

  /** Done. */
  success(summary: string, options?: OutcomeOptions): AgentResult;
  /** Done in part; the review decides. */
  partial(summary: string, blockers: readonly BlockerGiven[], options?: OutcomeOptions): AgentResult;
  /** Not done. Another attempt is made only when it is said to be `retryable`. */
  failure(reason: string, options?: FailureOptions): AgentResult;
  /** Forbidden, or beyond the agent: the pipeline waits for a person. */
  escalate(reason: string, options?: Omit<FailureOptions, "retryable">): AgentResult;
  /** Pauses the node and asks; the next attempt finds the answer in `answers` (SACP §2.2). */
  ask(question: string, options?: OutcomeOptions): AgentResult;
  /** Sends the work back to the agent before, with an instruction (SACP §11). */
  retryWithInstruction(instruction: string, options?: OutcomeOptions): AgentResult;
  /** Ends the whole workflow well at this node (SACP §2.2). */
  completed(summary: string, options?: OutcomeOptions): AgentResult;
}

export interface SpendGiven {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Millionths of a US dollar. */
  readonly costMicroUsd?: number;
}

export interface TurnGiven {
  /** How sure the agent is, from 0 to 1. */
  readonly confidence: number;
  readonly thought?: string;
  readonly action?: string;
  readonly observation?: string;
  readonly complexity?: "low" | "medium" | "high";
  /** The role it plays this turn, when it is not its own. */
  readonly role?: "researcher" | "architect" | "developer" | "reviewer";
}

export interface EvidenceGiven extends Partial<Pick<EvidenceItem, "command" | "output" | "exitCode">> {
  readonly check: CheckName | "manual" | "other";
  readonly passed: boolean;
}

export type ArtifactActionName = "created" | "modified" | "deleted";
