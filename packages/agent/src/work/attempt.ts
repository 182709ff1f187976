import { type AgentResult, ToolStatus } from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { AgentDefinition } from "../api/definition.ts";
import type { ToolPins } from "../api/tools.ts";
import type { AttemptFacts, CheckedEnvelope } from "../attempt-facts.ts";
import { checkResult } from "../outcomes/check-result.ts";
import { timingOf } from "../outcomes/compose-result.ts";
import { resultFromError } from "../outcomes/from-error.ts";
import type { Outcomes } from "../outcomes/outcomes.ts";
import type { OnProblem } from "../problem.ts";
import type { ActivitySink } from "../task/activity.ts";
import { Halt } from "../task/halt.ts";
import { type OpenTask, openTask } from "../task/open-task.ts";
import type { StepStore } from "../task/steps.ts";
import { startStopwatch } from "../time.ts";
import type { UploadClient } from "../uploads/binary.ts";
import { timeLeftMs } from "./time-left.ts";

export interface AttemptParts extends CheckedEnvelope {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly sink: ActivitySink;
  readonly stepStore: StepStore;
  readonly toolPins: ToolPins;
  readonly noteTool: (tool: string, started: boolean) => void;
  readonly uploads: UploadClient;
  readonly onProblem: OnProblem;
  /** When the envelope arrived, by `performance.now()`: time in the queue counts. */
  readonly arrivedMs: number;
}

export type StopReason = "cancelled" | "deadline" | "closing";

/**
 * One call of the author's `run`.
 *
 * I1. It is answered exactly once: with a result, or with undefined when it was cancelled.
 * I2. Nothing is published after the answer.
 * I3. `settled` resolves when `run` has returned, which may be long after the answer.
 */
export interface Attempt {
  readonly answered: Promise<AgentResult | undefined>;
  readonly settled: Promise<void>;
  stop(why: StopReason, explanation?: string): void;
}

export function startAttempt(parts: AttemptParts): Attempt {
  const { envelope, contract, trace, execution, definition, instanceId, onProblem } = parts;
  const facts: AttemptFacts = {
    ...{ envelope, contract, trace, execution, definition, instanceId },
    stopwatch: startStopwatch(),
  };
  const halt = new Halt();
  const answer = Promise.withResolvers<AgentResult | undefined>();
  const open = openTask({
    facts,
    halt,
    sink: parts.sink,
    stepStore: parts.stepStore,
    toolPins: parts.toolPins,
    noteTool: parts.noteTool,
    uploads: parts.uploads,
  });

  let over = false;
  const end = (result: AgentResult | undefined) => {
    over = true;
    clearTimeout(timer);
    answer.resolve(result);
  };
  const stop = (why: StopReason, explanation = explanations[why]) => {
    if (over) return;
    open.activity.abandonCalls(why === "deadline" ? ToolStatus.TIMEOUT : ToolStatus.FAILURE);
    end(why === "cancelled" ? undefined : stoppedResult(open.outcomes, why, explanation));
    halt.stop(why, explanation);
  };
  const leftMs = timeLeftMs(execution, performance.now() - parts.arrivedMs);
  const timer = setTimeout(() => stop("deadline"), leftMs);
  if (leftMs === 0) stop("deadline");

  const settled = runSafely(definition, open, halt).then((ended) => {
    if (over) return;
    open.activity.abandonCalls(ToolStatus.FAILURE);
    end(answerFor(facts, open.outcomes, ended, onProblem));
    // Ends whatever `run` left running.
    halt.stop("answered", "the task is answered");
  });
  return { answered: answer.promise, settled, stop };
}

const explanations: Record<StopReason, string> = {
  cancelled: "the hub cancelled the attempt",
  deadline: "the attempt timed out",
  closing: "the agent is closing",
};

type Ended = { readonly returned: unknown } | { readonly threw: unknown };

async function runSafely(definition: AgentDefinition, { task, steps }: OpenTask, halt: Halt): Promise<Ended> {
  try {
    await undefined; // The caller gets the attempt before `run` can publish anything.
    halt.throwIfOver();
    await steps.load();
    return { returned: await definition.run(task) };
  } catch (error) {
    return { threw: error };
  }
}

function answerFor(facts: AttemptFacts, outcomes: Outcomes, ended: Ended, onProblem: OnProblem): AgentResult {
  const at = `dispatch ${facts.execution.dispatchId}`;
  if ("threw" in ended) {
    const { threw } = ended;
    const known = threw instanceof AgentError ? threw : undefined;
    const result = resultFromError(outcomes, threw);
    const reason = result.status?.failureReason ?? "";
    const where = [at, placeOf(threw)].filter(Boolean).join(", ");
    onProblem(
      known ?? new AgentError("BATON-SDK-017", `run() threw: ${reason}`, { at: where, cause: threw }),
    );
    return sendable(facts, outcomes, result, onProblem);
  }
  return sendable(facts, outcomes, ended.returned, onProblem);
}

/** A longer line of a stack is part of a message. */
const longestFrame = 1_000;

/** The topmost stack frame in the author's own code. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  const { stack, message }: { readonly stack?: unknown; readonly message: unknown } = thrown;
  if (typeof stack !== "string") return "";
  const start = typeof message === "string" ? stack.indexOf(message) + message.length : 0;
  for (const line of stack.slice(start).split("\n")) {
    if (!line.startsWith("    at ") || line.length > longestFrame) continue;
    const place = line.endsWith(")") ? line.slice(line.indexOf("(") + 1, -1) : line.slice(7);
    if (/:\d+:\d+$/.test(place) && !/^node:|\bnode_modules\b/.test(place))
      return place.replace(/^async /, "");
  }
  return "";
}

/** The result, or a failure that says why it cannot be sent. */
function sendable(
  facts: AttemptFacts,
  outcomes: Outcomes,
  returned: unknown,
  onProblem: OnProblem,
): AgentResult {
  try {
    const result = checkResult(facts, returned);
    result.timing = timingOf(facts);
    return result;
  } catch (error) {
    if (error instanceof AgentError) onProblem(error);
    return bare(resultFromError(outcomes, error));
  }
}

/** Drops evidence, artifacts and context, since they may be what cannot be sent. */
function bare(result: AgentResult): AgentResult {
  const reason = `the agent's own result could not be sent: ${result.status?.failureReason}`;
  return {
    ...result,
    evidence: {
      $typeName: "vasini.agent.v1.Evidence",
      evidencePayload: { case: "noneWithReason", value: reason },
    },
    artifacts: [],
    contextOut: undefined,
  };
}

function stoppedResult(outcomes: Outcomes, why: StopReason, reason: string): AgentResult {
  return outcomes.failure(reason, {
    code: why === "deadline" ? "DEADLINE_EXCEEDED" : "AGENT_CLOSING",
    retryable: true,
    blockers: why === "deadline" ? [{ description: reason, kind: "timeout" }] : [],
    noEvidence: reason,
  });
}
