import { inspect } from "node:util";

/** The closed set of error codes of the SDK. */
export type AgentErrorCode = keyof typeof fixes;

const fixes = {
  /** The definition or an option is invalid. */
  "BATON-SDK-001": "correct the named option; docs/how-to/write-an-agent.md lists all options",
  /** The hub refuses this agent permanently. */
  "BATON-SDK-002": "correct what the hub names, then start the agent again",
  /** The hub was unreachable for `giveUpAfterMs`, or the agent closed before it was attached. */
  "BATON-SDK-003": "start the hub, or set BATON_HUB to where it listens",
  /** A result, turn or event is not valid. */
  "BATON-SDK-004": "return the result of task.success(), task.failure() or another outcome of the task",
  /** A message is larger than the hub accepts. */
  "BATON-SDK-005": "send less at once, or refer to large content by path and digest",
  /** The safety context does not allow the tool. */
  "BATON-SDK-006": "use a tool of the allow list, or ask for another one with task.escalate()",
  /** All autonomous steps are used. */
  "BATON-SDK-007": "end the task with what is done so far, or ask a person with task.escalate()",
  /** The budget of the attempt is spent. */
  "BATON-SDK-008": "end the task with what is done so far, or ask a person with task.escalate()",
  /** The safety context prohibits the action. */
  "BATON-SDK-009": "do without it, or ask a person with task.escalate()",
  /** The task does not grant the scope. */
  "BATON-SDK-010": "submit the task with the scope, or ask a person with task.escalate()",
  /** The attempt was cancelled or timed out, or the agent closes. */
  "BATON-SDK-011": "return; whatever run() does from now on is discarded",
  /** The file cannot be an artifact of this task. */
  "BATON-SDK-012": "name a file inside the workspace of the task",
  /** The hub refuses this message permanently. */
  "BATON-SDK-013": "correct what the hub names; the message is dropped",
  /** The outbox is full. */
  "BATON-SDK-014": "send fewer events, or restore the connection to the hub sooner",
  /** The hub is unreachable; the agent keeps trying. */
  "BATON-SDK-015":
    "start the hub (baton up), or set BATON_HUB to where it listens; the agent reconnects by itself",
  /** The command cannot be run here. */
  "BATON-SDK-016": "pass the program and its arguments as a list, and check that the folder exists",
  /** `run` threw. */
  "BATON-SDK-017": "catch the error and return task.failure(), which states whether to retry",
  /** The task or call is invalid. */
  "BATON-SDK-018": "send envelopes that the contract allows",
  /** The hub refuses a durable step. */
  "BATON-SDK-020":
    "correct what the hub names; a value that is too large belongs in a file, with its path in the value",
  /** It is unknown whether a durable step of an earlier attempt took effect. */
  "BATON-SDK-021":
    "catch StepOutcomeUnknown: find out what happened, then call its settle() or runAgain(), or return task.askAbout(error)",
  /** A limit of the SDK is exceeded. */
  "BATON-SDK-019": "keep within the limits of docs/reference/agent-protocols.md",
  /** A value is no binary content, or other content than its digest says. */
  "BATON-SDK-022": "pass a value that task.upload returned, with $base64 or $ref",
  /** The hub does not take or give binary content. */
  "BATON-SDK-023": "try again, or correct what the hub names",
  /** The endpoint of governed tasks does not answer, or has no such task. */
  "BATON-SDK-024": "start the hub, and pass the address of its HTTP port",
} as const;

export interface AgentErrorDetail {
  /** An option, a field, a command or an attempt. */
  readonly at?: string;
  readonly fix?: string;
  readonly cause?: unknown;
}

/** Under npm, `baton` is run with npx. */
function withNpx(fix: string): string {
  return process.env.npm_command
    ? fix.replaceAll(/(?<![\w/.-])(?<!npx )baton (?=[a-z])/g, "npx baton ")
    : fix;
}

/** Every error of the SDK has a code, a place and a fix. */
export class AgentError extends Error {
  override readonly name: string = "AgentError";
  readonly code: AgentErrorCode;
  readonly at: string;
  readonly fix: string;

  constructor(code: AgentErrorCode, message: string, { at = "", fix, cause }: AgentErrorDetail = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.at = at;
    this.fix = withNpx(fix ?? fixes[code]);
  }

  /** Code, message, place and fix. */
  override toString(): string {
    return `${this.code}  ${this.message}${this.at ? `\n  at ${this.at}` : ""}\n  fix: ${this.fix}`;
  }

  /** Omits the properties of the cause: they may contain encoded messages or the output of a program. */
  [inspect.custom](): string {
    const place = this.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? [];
    const cause = this.cause === undefined ? [] : [`  cause: ${describeCause(this.cause)}`];
    return [`${this.name}: ${this}`, ...place, ...cause].join("\n");
  }
}

function describeCause(cause: unknown): string {
  if (cause instanceof AgentError) return inspect(cause);
  if (cause instanceof Error) return cause.stack ?? `${cause.name}: ${cause.message}`;
  return typeof cause === "string" ? cause : `a thrown ${typeof cause}`;
}

/** Thrown before a tool runs that the safety context does not allow (A §2.5). */
export class ToolNotAllowed extends AgentError {
  override readonly name = "ToolNotAllowed";
  constructor(tool: string, reason: string) {
    super("BATON-SDK-006", `the tool "${tool}" ${reason}`, { at: "safety" });
  }
}

/** Thrown before a step beyond the autonomous steps of the attempt (A §2.5, SAP V2 §4.1). */
export class StepLimitReached extends AgentError {
  override readonly name = "StepLimitReached";
  constructor(allowed: number, field: string) {
    super("BATON-SDK-007", `all ${allowed} autonomous steps are used`, { at: field });
  }
}

/** Thrown when the attempt exceeds its budget (SAP V2 §4.1). */
export class BudgetSpent extends AgentError {
  override readonly name = "BudgetSpent";
  constructor(what: string, field: string) {
    super("BATON-SDK-008", `the attempt has spent ${what}`, { at: field });
  }
}

/** Thrown before an action that the safety context prohibits (A §2.5). */
export class ActionProhibited extends AgentError {
  override readonly name = "ActionProhibited";
  constructor(action: string, prohibited: string) {
    super("BATON-SDK-009", `"${action}" is prohibited by "${prohibited}"`, {
      at: "safety.prohibited_actions",
    });
  }
}

/** Thrown when the task does not grant a scope that the agent needs (A §2.5). */
export class ScopeMissing extends AgentError {
  override readonly name = "ScopeMissing";
  constructor(scope: string) {
    super("BATON-SDK-010", `the task does not grant the scope "${scope}"`, { at: "safety.auth_scopes" });
  }
}

/** What a step that is unknown can do next. */
export interface UnknownStep {
  readonly stepName: string;
  readonly critical: boolean;
  /** For a person; the next attempt finds the answer by it. */
  readonly question: string;
  readonly answer: string | undefined;
  readonly runAgain: () => Promise<unknown>;
  readonly settle: (value: unknown) => Promise<unknown>;
}

/**
 * Thrown by `task.once` for a step that began in an earlier attempt and is not known to have ended (PIP-11). For authors: thrown
 * by the function of a step, it leaves the step so.
 */
export class StepOutcomeUnknown extends AgentError {
  override readonly name = "StepOutcomeUnknown";
  readonly stepName: string;
  readonly critical: boolean;
  readonly question: string;
  /** The answer of a person to the question of an earlier attempt. */
  readonly answer: string | undefined;
  readonly #step: UnknownStep | undefined;

  constructor(step: UnknownStep | string) {
    const { stepName, critical, question, answer } =
      typeof step === "string" ? { stepName: step, critical: false, question: "", answer: undefined } : step;
    super("BATON-SDK-021", `it is unknown whether the step "${stepName}" took effect`, {
      at: `step ${stepName}`,
    });
    this.stepName = stepName;
    this.critical = critical;
    this.question = question;
    this.answer = answer;
    this.#step = typeof step === "string" ? undefined : step;
  }

  /** Runs the step again, as if it had not begun. */
  runAgain(): Promise<unknown> {
    return this.#known().runAgain();
  }

  /** The step took effect: stores its value without running it. */
  settle(value: unknown): Promise<unknown> {
    return this.#known().settle(value);
  }

  #known(): UnknownStep {
    if (this.#step) return this.#step;
    throw new TypeError("only an error of task.once can be settled");
  }
}

/** The reason of `task.signal`; from then on, the methods of the task throw it. */
export class TaskStopped extends AgentError {
  override readonly name = "TaskStopped";
  readonly why: "cancelled" | "deadline" | "closing" | "answered";
  constructor(why: TaskStopped["why"], message: string) {
    super("BATON-SDK-011", message);
    this.why = why;
  }
}

/** For authors: thrown from anywhere in `run`, it fails the task and states whether to retry. */
export class TaskFailed extends Error {
  override readonly name = "TaskFailed";
  readonly retryable: boolean;
  /** Stable key of the failure, such as `TEST_SUITE_FAILED`. */
  readonly code: string;
  constructor(message: string, options: { readonly retryable?: boolean; readonly code?: string } = {}) {
    super(message);
    this.retryable = options.retryable ?? false;
    this.code = options.code ?? "TASK_FAILED";
  }
}
