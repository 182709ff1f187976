import {
  type CheckName,
  commandOf,
  type SafetyContext,
  SafetyContextSchema,
  splitCommand,
  ToolStatus,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import { execIn } from "../exec/exec.ts";
import type { Exec, ExecOptions } from "../exec/exec-options.ts";
import { composeResult, type Gathered } from "../outcomes/compose-result.ts";
import { type Outcomes, outcomesFor } from "../outcomes/outcomes.ts";
import { Artifacts } from "./artifacts.ts";
import type { AttemptFacts } from "./attempt-facts.ts";
import { checkOf, evidenceTypeOf } from "./check-name.ts";
import { EvidenceLog } from "./evidence-log.ts";
import type { Halt } from "./halt.ts";
import { type Listener, Narration } from "./narration.ts";
import { Notes } from "./notes.ts";
import { Safety } from "./safety.ts";
import type { Task } from "./task.ts";

export interface TaskParts {
  readonly facts: AttemptFacts;
  readonly halt: Halt;
  readonly listener: Listener;
  /** Told whether a tool could be started. */
  readonly noteTool: (tool: string, started: boolean) => void;
}

export interface OpenTask {
  readonly task: Task;
  readonly outcomes: Outcomes;
  readonly narration: Narration;
}

/** The task of an attempt. Each of its methods refuses to work once the attempt is over. */
export function openTask({ facts, halt, listener, noteTool }: TaskParts): OpenTask {
  const { envelope, contract, execution } = facts;
  const workspace = envelope.workspace?.path || undefined;
  const safety = new Safety(envelope);
  const narration = new Narration(facts, listener);
  const gathered: Gathered = {
    facts,
    safety,
    evidence: new EvidenceLog(),
    artifacts: new Artifacts(workspace, contract),
    notes: new Notes(contract.taskId, execution.dispatchId),
  };
  const { evidence, artifacts, notes } = gathered;
  const outcomes = outcomesFor((verdict) => composeResult(gathered, verdict));

  async function exec(command: string, args: readonly string[], options: ExecOptions = {}): Promise<Exec> {
    halt.throwIfOver();
    const words = [command, ...args];
    safety.allowTool(command, { args: [...args] });
    safety.countStep();
    const callId = narration.invoked(command, { args: [...args] });
    let failed = true;
    try {
      const { started, ...end } = await execIn({ workspace, signal: halt.signal }, command, args, options);
      failed = false;
      halt.throwIfOver();
      noteTool(command, started);
      narration.completed(callId, statusOf(end));
      if (options.evidence !== false) {
        const check = options.evidence ?? checkOf(contract, words) ?? "other";
        evidence.add({
          type: evidenceTypeOf(check),
          command: words.join(" "),
          output: end.output,
          passed: end.ok,
          ...(end.exitCode !== undefined && { exitCode: end.exitCode }),
        });
      }
      return end;
    } finally {
      if (failed) narration.completed(callId, ToolStatus.FAILURE);
    }
  }

  const task: Omit<Task, "signal"> & Halted = {
    [haltOf]: halt,
    envelope,
    contract,
    safety: safetyOf(envelope.safety),
    inputs: envelope.inputs ?? {},
    feedback: envelope.reviewFeedback,
    answers: envelope.clarifications.map(({ question, answer }) => ({ question, answer })),
    workspace,

    exec: (command, args = [], options) => exec(command, args, options),
    check: async (name, options) => {
      const line = commandOf(contract.environment, name);
      if (line === "") return undefined;
      const [command, ...args] = wordsOf(name, line);
      return exec(command, args, { evidence: name, ...options });
    },
    tool: async (name, args, call) => {
      halt.throwIfOver();
      safety.allowTool(name, args);
      safety.countStep();
      const callId = narration.invoked(name, args);
      let status = ToolStatus.FAILURE;
      try {
        const value = await call(args, halt.signal);
        status = ToolStatus.SUCCESS;
        return value;
      } finally {
        if (!halt.isOver) narration.completed(callId, status);
      }
    },
    step: (action) => {
      halt.throwIfOver();
      if (action !== undefined) safety.allowAction(action);
      safety.countStep();
    },
    needScope: (scope) => safety.needScope(scope),
    spend: (usage) => safety.spend(usage),

    think: (chunk) => {
      halt.throwIfOver();
      narration.think(chunk);
    },
    turn: (turn) => {
      halt.throwIfOver();
      safety.countStep();
      narration.turn(turn);
    },

    evidence: ({ check, command = "", output = "", passed, exitCode }) =>
      evidence.add({
        type: evidenceTypeOf(check),
        command,
        output,
        passed,
        ...(exitCode !== undefined && { exitCode }),
      }),
    artifact: async (path, action) => {
      halt.throwIfOver();
      return artifacts.add(path, action);
    },
    decision: (description, rationale = "") => notes.decision(description, rationale),
    risk: (description) => notes.risk(description),
    assumption: (description) => notes.assumption(description),
    rollback: (text) => notes.rollback(text),
    ...outcomes,
  };
  return {
    task: Object.defineProperty(task, "signal", signalProperty) as unknown as Task,
    outcomes,
    narration,
  };
}

const haltOf = Symbol("halt");
interface Halted {
  readonly [haltOf]: Halt;
}

/**
 * The signal is made when somebody looks at it. All tasks share its getter: with one of its own, each would have a hidden
 * class of its own, and V8 frees these, and all that their tasks hold, in its longest collections only.
 */
const signalProperty: PropertyDescriptor & ThisType<Halted> = {
  configurable: true,
  enumerable: true,
  get() {
    return this[haltOf].signal;
  },
};

function safetyOf(stated: SafetyContext | undefined): SafetyContext {
  return stated ?? create(SafetyContextSchema);
}

function statusOf({ ok, timedOut }: Exec): ToolStatus {
  if (timedOut) return ToolStatus.TIMEOUT;
  return ok ? ToolStatus.SUCCESS : ToolStatus.FAILURE;
}

function wordsOf(name: CheckName, line: string): readonly [string, ...string[]] {
  const [command, ...args] = splitCommand(line) ?? [];
  if (command !== undefined) return [command, ...args];
  throw new AgentError("BATON-SDK-016", `"${line}" needs a shell, and commands are run without one`, {
    at: `contract.environment: ${name}`,
    fix: "put it into a script of the project, and name the script in the contract",
  });
}
