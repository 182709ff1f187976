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
import type { StepOutcomeUnknown } from "../agent-error.ts";
import type { Binary, BinaryContent } from "../uploads/binary.ts";
import type { RoleName } from "./definition.ts";
import type { StepOptions } from "./step.ts";
import type { PinnableTool, ToolDecision, ToolProposal } from "./tools.ts";

/** One attempt at a task, as the `run` function of an agent sees it. */
export interface Task {
  /** The whole message from the hub. */
  readonly envelope: TaskEnvelope;
  /** What to do, and how the result will be judged. */
  readonly contract: Contract;
  /** What the agent may and may not do. */
  readonly safety: SafetyContext;
  /** Inputs that data mapping filled from earlier nodes (SACP §4.2). */
  readonly inputs: JsonObject;
  /** Why the previous attempt was rejected, and what to change. */
  readonly feedback: ReviewFeedback | undefined;
  /** Answers to questions from `ask`, oldest first. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  /** The folder to work in, when agent and hub share a file system. */
  readonly workspace: string | undefined;
  /** Aborted on cancellation, at the deadline and when the agent closes. Its reason is a `TaskStopped`. */
  readonly signal: AbortSignal;

  /**
   * Runs a program with a list of arguments, without a shell. Its output becomes evidence, and it counts as a step. A
   * command that fails returns `ok: false`; only a command that must not or cannot run throws.
   */
  exec(command: string, args?: readonly string[], options?: ExecOptions): Promise<Exec>;
  /** Runs the command that the contract names for a check. Returns undefined when it names none. */
  check(name: CheckName, options?: ExecOptions): Promise<Exec | undefined>;
  /** Calls a tool that is a function of the agent: checked against the safety context, counted as a step, published. */
  tool<Input extends JsonObject, Value>(
    name: string,
    args: Input,
    call: (args: Input, signal: AbortSignal) => Value | Promise<Value>,
  ): Promise<Value>;
  /** Publishes a call that is not made, as a pair of events. */
  refuseTool(name: string, args: JsonObject, reason: string): void;
  /** What a person decided about the call of `askToApprove`; undefined before. */
  toolDecision(callId: string): ToolDecision | undefined;
  /**
   * Pins the definitions of tools from elsewhere at the hub when they are first seen. Returns the names of those that may be offered:
   * not of those whose definition has changed until a person accepts it.
   */
  pinTools(tools: readonly PinnableTool[]): Promise<readonly string[]>;
  /** Counts a step that is not a command, tool or turn. With a name, it is checked against the prohibited actions. */
  step(action?: string): void;
  /** Throws `ScopeMissing` when the task does not grant the scope. */
  needScope(scope: string): void;
  /** Counts what a call of a model spent. Throws `BudgetSpent` when the attempt exceeds its budget. */
  spend(usage: SpendInput): void;
  /** What is left for this attempt. Check the worst case of a call before it is made. */
  budget(): BudgetLeft;

  /**
   * A durable step: returns the stored value if an earlier attempt at the same work completed it, else runs the function and
   * stores its value. Identified by name and arguments; further uses of both in one attempt are steps of their own. Value and
   * arguments are JSON, and the value is returned as JSON carries it. Throws `StepOutcomeUnknown` when the step began in an
   * earlier attempt and is not known to have ended, unless it is idempotent.
   */
  once<Value>(
    name: string,
    args: unknown,
    run: (signal: AbortSignal) => Value | Promise<Value>,
    options?: StepOptions<Value>,
  ): Promise<Value>;

  /** Publishes a piece of reasoning (SAOP §2 THOUGHT_STREAM). */
  think(chunk: string): void;
  /** Ends a turn (SAOP §1), which counts as a step. Its thought defaults to what `think` published. */
  turn(turn: TurnInput): void;

  /** Adds evidence that did not come from `exec`. */
  evidence(item: EvidenceInput): void;
  /** Reports a file that was created, modified or deleted, with the digest of its content. */
  artifact(path: string, action?: ArtifactActionName): Promise<Artifact>;
  /**
   * Binary content for `data`: up to 256 KiB within it, above that stored at the hub, with a signed and expiring address. `mediaType`
   * such as `image/png`.
   */
  upload(content: BinaryContent, mediaType: string): Promise<Binary>;
  /** The content of such a value, which an earlier agent may have uploaded. */
  download(binary: JsonObject): Promise<Uint8Array>;
  decision(description: string, rationale?: string): void;
  risk(description: string): void;
  assumption(description: string): void;
  /** How to undo the work. */
  rollback(notes: string): void;

  /** Done. */
  success(summary: string, options?: OutcomeOptions): AgentResult;
  /** Partly done; a review decides. */
  partial(summary: string, blockers: readonly BlockerInput[], options?: OutcomeOptions): AgentResult;
  /** Not done. Retried only when `retryable` is set. */
  failure(reason: string, options?: FailureOptions): AgentResult;
  /** Forbidden or beyond the agent: the run waits for a person. */
  escalate(reason: string, options?: Omit<FailureOptions, "retryable">): AgentResult;
  /** Pauses the node and asks; the next attempt finds the answer in `answers` (SACP §2.2). */
  ask(question: string, options?: OutcomeOptions): AgentResult;
  /**
   * Stops before a call that the budget has no room for. Another attempt follows, at once or after a person has raised the
   * budget; it gets at least what is needed.
   */
  outOfBudget(options: OutOfBudgetOptions): AgentResult;
  /** Pauses the node and asks a person whether a step took effect; the next attempt finds the answer in the error. */
  askAbout(unknown: StepOutcomeUnknown, options?: OutcomeOptions): AgentResult;
  /** Pauses the node until a person approves, edits or refuses the call; the next attempt finds it with `toolDecision`. */
  askToApprove(proposal: ToolProposal, options?: OutcomeOptions): AgentResult;
  /** Sends the work back to the previous agent with an instruction (SACP §11). */
  retryWithInstruction(instruction: string, options?: OutcomeOptions): AgentResult;
  /** Completes the whole workflow at this node (SACP §2.2). */
  completed(summary: string, options?: OutcomeOptions): AgentResult;
}

export interface ExecOptions {
  /** Folder to run in, relative to the workspace. Default: the workspace. */
  readonly cwd?: string;
  /** Added to PATH, HOME, LANG and TMPDIR, the only variables that a command inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command and all its child processes after this time. */
  readonly timeoutMs?: number;
  /** Its stdin. Default: empty. */
  readonly input?: string;
  /** What the command proves. Default: the check whose command it is. `false` keeps it out of the evidence. */
  readonly evidence?: CheckName | "other" | false;
  /** How much of `stdout` is kept. */
  readonly stdoutBytes?: number;
}

/** How a command ended. */
export interface Exec {
  /** It exited with zero. */
  readonly ok: boolean;
  /** Undefined when a signal ended it, or it could not be started. */
  readonly exitCode: number | undefined;
  readonly timedOut: boolean;
  /** stdout and stderr interleaved: their beginning and end. */
  readonly output: string;
  /** stdout alone, up to `stdoutBytes`. */
  readonly stdout: string;
  readonly durationMs: number;
}

export interface OutcomeOptions {
  /** Passed to the next agent and read by conditions (SACP §2). */
  readonly data?: JsonObject;
  /** The reasoning; for people. */
  readonly thought?: string;
  readonly nextStepHint?: string;
  readonly confidence?: "confident" | "uncertain" | "blocked";
  /** Why there is no evidence, if there is none. */
  readonly noEvidence?: string;
  /** The commit that contains the work. */
  readonly commit?: string;
}

export interface FailureOptions extends OutcomeOptions {
  /** Whether another attempt may succeed. Default: false. */
  readonly retryable?: boolean;
  /** Stable key, such as `TEST_SUITE_FAILED`. */
  readonly code?: string;
  readonly blockers?: readonly BlockerInput[];
}

export type BlockerKind =
  | "ambiguous-requirement"
  | "dependency-missing"
  | "tool-failure"
  | "permission-denied"
  | "timeout"
  | "other";

export interface BlockerInput {
  readonly description: string;
  readonly kind?: BlockerKind;
  readonly suggestion?: string;
}

/** Absent is no limit. */
export interface BudgetLeft {
  readonly tokensLeft?: number;
  /** Millionths of a US dollar. */
  readonly costLeftMicroUsd?: number;
  /** Tool calls, commands and turns. */
  readonly stepsLeft?: number;
}

export interface OutOfBudgetOptions extends OutcomeOptions {
  /**
   * What another attempt needs at least: the worst case of the call, and whatever it has to repeat before. At least one of
   * them.
   */
  readonly needed: {
    readonly tokens?: number;
    readonly costMicroUsd?: number;
    readonly steps?: number;
  };
  /** What the next call is for; a person reads it. */
  readonly reason?: string;
}

/** What one call of a model spent. */
export interface SpendInput {
  /** With those of the cache. */
  readonly inputTokens?: number;
  /** With those of reasoning. */
  readonly outputTokens?: number;
  /** Millionths of a US dollar. */
  readonly costMicroUsd?: number;
  /** Those of the input tokens that came from a cache of the provider. */
  readonly cacheReadTokens?: number;
  /** Those of the input tokens that went into a cache of the provider. */
  readonly cacheWriteTokens?: number;
  /** Those of the output tokens that were reasoning. */
  readonly reasoningTokens?: number;
  /** The model, as its provider names it. With it, spending is counted by model. */
  readonly model?: string;
  /** Who offers the model, such as `anthropic`. */
  readonly provider?: string;
  /** Some of it has no price. Default: whether there are tokens and no `costMicroUsd`. Free tokens cost 0. */
  readonly costUnknown?: boolean;
}

export interface TurnInput {
  /** From 0 to 1. */
  readonly confidence: number;
  readonly thought?: string;
  readonly action?: string;
  readonly observation?: string;
  readonly complexity?: "low" | "medium" | "high";
  /** The role of this turn. Default: the agent's role. */
  readonly role?: RoleName;
}

export interface EvidenceInput extends Partial<Pick<EvidenceItem, "command" | "output" | "exitCode">> {
  readonly check: CheckName | "manual" | "other";
  readonly passed: boolean;
}

export type ArtifactActionName = "created" | "modified" | "deleted";
