import { inspect } from "node:util";

/** Everything that can go wrong between an agent, its author and the hub. */
export type AgentErrorCode = keyof typeof fixes;

const fixes = {
  /** The definition or an option cannot be right. */
  "BATON-SDK-001": "change the named option; docs/how-to/write-an-agent.md shows them all",
  /** The hub does not let this agent in, and would not later either. */
  "BATON-SDK-002": "mend what the hub names, then start the agent again",
  /** The hub was not reached within the time the author allows, or before the agent had to leave. */
  "BATON-SDK-003": "start the hub, or set BATON_HUB to where it listens",
  /** What the function returned is not a valid answer. */
  "BATON-SDK-004": "return what task.success(), task.failure() or another outcome of the task gives",
  /** A message is larger than a peer takes. */
  "BATON-SDK-005": "send less at once, or refer to large content by path and digest",
  /** The safety context does not allow the tool. */
  "BATON-SDK-006": "use a tool of the allow list, or ask for another one with task.escalate()",
  /** The steps that the agent may take without asking are taken. */
  "BATON-SDK-007": "end the task with what there is, or ask a person with task.escalate()",
  /** The budget of the attempt is spent. */
  "BATON-SDK-008": "end the task with what there is, or ask a person with task.escalate()",
  /** The safety context prohibits the action. */
  "BATON-SDK-009": "leave it out, or ask a person with task.escalate()",
  /** The agent does not hold the scope. */
  "BATON-SDK-010": "submit the task with the scope, or ask a person with task.escalate()",
  /** The attempt was cancelled, ran out of time, or the agent leaves. */
  "BATON-SDK-011": "return; what the function does from now on counts for nothing",
  /** A file that cannot be an artifact of this task. */
  "BATON-SDK-012": "name a file inside the workspace of the task",
  /** The hub will never take this message. */
  "BATON-SDK-013": "mend what the hub names; the message is dropped",
  /** More waits for the hub than the agent keeps. */
  "BATON-SDK-014": "send fewer events, or bring the hub back sooner",
  /** The hub is away; the agent goes on trying. */
  "BATON-SDK-015":
    "start the hub (baton up), or set BATON_HUB to where it listens; nothing, if it comes back by itself",
  /** A command that cannot be run here. */
  "BATON-SDK-016": "pass the program and its arguments as a list, and see that its folder exists",
  /** The function threw. */
  "BATON-SDK-017": "catch it and return task.failure(), which can say whether to try again",
  /** An envelope that breaks rules. */
  "BATON-SDK-018": "send envelopes that the contract allows",
  /** More of something than the SDK keeps. */
  "BATON-SDK-019": "keep within the limits of docs/reference/agent-protocols.md",
} as const;

export interface AgentErrorDetail {
  /** Where: an option, a field, a command, an attempt. */
  readonly at?: string;
  readonly fix?: string;
  readonly cause?: unknown;
}

/** What is to be typed, as whoever started the agent types it: wherever npm has, `baton` is found with npx. */
function asCalled(fix: string): string {
  return process.env.npm_command
    ? fix.replaceAll(/(?<![\w/.-])(?<!npx )baton (?=[a-z])/g, "npx baton ")
    : fix;
}

/** The error of the SDK: a code of a closed set, the place, and the way out. */
export class AgentError extends Error {
  override readonly name: string = "AgentError";
  readonly code: AgentErrorCode;
  readonly at: string;
  readonly fix: string;

  constructor(code: AgentErrorCode, message: string, { at = "", fix, cause }: AgentErrorDetail = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.at = at;
    this.fix = asCalled(fix ?? fixes[code]);
  }

  /** The whole story for a person. */
  override toString(): string {
    return `${this.code}  ${this.message}${this.at ? `\n  at ${this.at}` : ""}\n  fix: ${this.fix}`;
  }

  /**
   * What Node prints of it. Of the cause only the words and the place are told: what it carries may be a message in
   * bytes, or output of a program, which nobody can read and some must not.
   */
  [inspect.custom](): string {
    const place = this.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? [];
    const cause = this.cause === undefined ? [] : [`  cause: ${told(this.cause)}`];
    return [`${this.name}: ${this}`, ...place, ...cause].join("\n");
  }
}

function told(cause: unknown): string {
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

/** Thrown before a step beyond those that the agent may take without asking (A §2.5, SAP V2 §4.1). */
export class StepLimitReached extends AgentError {
  override readonly name = "StepLimitReached";
  constructor(allowed: number, field: string) {
    super("BATON-SDK-007", `all ${allowed} autonomous steps are taken`, { at: field });
  }
}

/** Thrown when more is spent than the attempt was given (SAP V2 §4.1). */
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

/** Thrown when the task does not give the agent a scope that it needs (A §2.5). */
export class ScopeMissing extends AgentError {
  override readonly name = "ScopeMissing";
  constructor(scope: string) {
    super("BATON-SDK-010", `the task does not give the scope "${scope}"`, { at: "safety.auth_scopes" });
  }
}

/** The reason of `task.signal`, and what the task's methods throw from then on. */
export class TaskStopped extends AgentError {
  override readonly name = "TaskStopped";
  readonly why: "cancelled" | "deadline" | "closing" | "answered";
  constructor(why: TaskStopped["why"], message: string) {
    super("BATON-SDK-011", message);
    this.why = why;
  }
}

/** For authors: ends the task as a failure from anywhere, and says whether another attempt may succeed. */
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
