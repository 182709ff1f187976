import {
  type CheckName,
  commandOf,
  SafetyContextSchema,
  splitCommand,
  type TaskEnvelope,
  ToolStatus,
  ToolVerdict,
} from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import type { Exec, ExecOptions, Task } from "../api/task.ts";
import type { ToolDecision, ToolPins } from "../api/tools.ts";
import type { AttemptFacts } from "../attempt-facts.ts";
import { execIn } from "../exec/exec.ts";
import { composeResult } from "../outcomes/compose-result.ts";
import { type Outcomes, outcomesFor } from "../outcomes/outcomes.ts";
import { fromBinary, toBinary, type UploadClient } from "../uploads/binary.ts";
import { Activity, type ActivitySink } from "./activity.ts";
import { Artifacts } from "./artifacts.ts";
import { checkOf, EvidenceLog, evidenceTypeOf } from "./evidence-log.ts";
import type { Halt } from "./halt.ts";
import { Notes } from "./notes.ts";
import { Safety } from "./safety.ts";
import { isAboutStep, type StepStore, Steps } from "./steps.ts";

export interface TaskParts {
  readonly facts: AttemptFacts;
  readonly halt: Halt;
  readonly sink: ActivitySink;
  readonly stepStore: StepStore;
  readonly toolPins: ToolPins;
  /** Receives whether a tool could be started. */
  readonly noteTool: (tool: string, started: boolean) => void;
  readonly uploads: UploadClient;
}

export interface OpenTask {
  readonly task: Task;
  readonly outcomes: Outcomes;
  readonly activity: Activity;
  readonly steps: Steps;
}

/** The task of an attempt. Its methods throw once the attempt is over. */
export function openTask(parts: TaskParts): OpenTask {
  const { facts, halt, sink, stepStore, toolPins, noteTool, uploads } = parts;
  const { envelope, contract, execution } = facts;
  const workspace = envelope.workspace?.path || undefined;
  const safety = new Safety(envelope);
  const activity = new Activity(facts, sink);
  const steps = new Steps({ envelope, store: stepStore, halt, safety });
  const evidence = new EvidenceLog();
  const artifacts = new Artifacts(workspace, contract);
  const notes = new Notes(contract.taskId, execution.dispatchId);
  const outcomes = outcomesFor((verdict) => {
    const { contextOut } = notes;
    const gathered = {
      evidence: evidence.items,
      artifacts: artifacts.all,
      contextOut,
      usage: safety.usage(),
    };
    return composeResult(facts, gathered, verdict);
  });

  /** Throws for a tool that must not be used, which is published as a refused call. */
  function allowed(name: string, args: JsonObject): void {
    try {
      safety.allowTool(name, args);
      safety.countStep();
    } catch (error) {
      activity.toolRefused(name, args, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  async function exec(command: string, args: readonly string[], options: ExecOptions = {}): Promise<Exec> {
    halt.throwIfOver();
    const words = [command, ...args];
    allowed(command, { args: [...args] });
    const callId = activity.toolInvoked(command, { args: [...args] });
    let failed = true;
    try {
      const { started, ...end } = await execIn({ workspace, signal: halt.signal }, command, args, options);
      failed = false;
      halt.throwIfOver();
      noteTool(command, started);
      activity.toolCompleted(callId, statusOf(end));
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
      if (failed) activity.toolCompleted(callId, ToolStatus.FAILURE);
    }
  }

  const task: Omit<Task, "signal"> & Halted = {
    [haltOf]: halt,
    envelope,
    contract,
    safety: envelope.safety ?? create(SafetyContextSchema),
    inputs: envelope.inputs ?? {},
    feedback: envelope.reviewFeedback,
    answers: answersOf(envelope),
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
      allowed(name, args);
      const callId = activity.toolInvoked(name, args);
      let status = ToolStatus.FAILURE;
      try {
        const value = await call(args, halt.signal);
        status = ToolStatus.SUCCESS;
        return value;
      } finally {
        if (!halt.isOver) activity.toolCompleted(callId, status);
      }
    },
    refuseTool: (name, args, reason) => {
      halt.throwIfOver();
      activity.toolRefused(name, args, reason);
    },
    toolDecision: (callId) => decisionOn(envelope, callId),
    pinTools: (tools) => toolPins.pin(tools),
    step: (action) => {
      halt.throwIfOver();
      if (action !== undefined) safety.allowAction(action);
      safety.countStep();
    },
    needScope: (scope) => safety.needScope(scope),
    spend: (usage) => safety.spend(usage),
    budget: () => safety.budget(),
    once: (name, args, run, options) => steps.once(name, args, run, options),

    think: (chunk) => {
      halt.throwIfOver();
      activity.think(chunk);
    },
    turn: (turn) => {
      halt.throwIfOver();
      safety.countStep();
      activity.turn(turn);
    },

    evidence: ({ check, command = "", output = "", passed, exitCode }) =>
      evidence.add({
        type: evidenceTypeOf(check),
        command,
        output,
        passed,
        ...(exitCode !== undefined && { exitCode }),
      }),
    upload: async (content, mediaType) => {
      halt.throwIfOver();
      return toBinary(content, mediaType, uploads, halt.signal);
    },
    download: async (binary) => {
      halt.throwIfOver();
      return fromBinary(binary, uploads, halt.signal);
    },
    artifact: async (path, action) => {
      halt.throwIfOver();
      return artifacts.add(path, action);
    },
    decision: (description, rationale = "") => notes.decision(description, rationale),
    risk: (description) => notes.risk(description),
    assumption: (description) => notes.assumption(description),
    rollback: (text) => notes.rollback(text),
    ...outcomes,
    askAbout: ({ question }, options) => outcomes.ask(question, options),
  };
  return {
    task: Object.defineProperty(task, "signal", signalProperty) as unknown as Task,
    outcomes,
    activity,
    steps,
  };
}

/** Answers to `ask`: neither decisions about tools, nor whether a step took effect. */
function answersOf({ clarifications }: TaskEnvelope): Task["answers"] {
  return clarifications
    .filter(({ tool, question }) => tool === undefined && !isAboutStep(question))
    .map(({ question, answer }) => ({ question, answer }));
}

const verdicts = {
  [ToolVerdict.UNSPECIFIED]: "refused",
  [ToolVerdict.APPROVED]: "approved",
  [ToolVerdict.EDITED]: "edited",
  [ToolVerdict.REFUSED]: "refused",
} as const;

function decisionOn({ clarifications }: TaskEnvelope, callId: string): ToolDecision | undefined {
  const found = clarifications.findLast(({ tool }) => tool?.callId === callId)?.tool;
  if (found === undefined) return undefined;
  const { verdict, reason, arguments: args } = found;
  return { verdict: verdicts[verdict] ?? "refused", reason, ...(args && { args }) };
}

const haltOf = Symbol("halt");
interface Halted {
  readonly [haltOf]: Halt;
}

/**
 * Creates the signal on demand. All tasks share this getter: with a getter each, every task would have a hidden class of
 * its own, which V8 frees only in major collections.
 */
const signalProperty: PropertyDescriptor & ThisType<Halted> = {
  configurable: true,
  enumerable: true,
  get() {
    return this[haltOf].signal;
  },
};

function statusOf({ ok, timedOut }: Exec): ToolStatus {
  if (timedOut) return ToolStatus.TIMEOUT;
  return ok ? ToolStatus.SUCCESS : ToolStatus.FAILURE;
}

function wordsOf(name: CheckName, line: string): readonly [string, ...string[]] {
  const [command, ...args] = splitCommand(line) ?? [];
  if (command !== undefined) return [command, ...args];
  throw new AgentError("BATON-SDK-016", `"${line}" needs a shell, but commands run without one`, {
    at: `contract.environment: ${name}`,
    fix: "move it into a script of the project, and name the script in the contract",
  });
}
