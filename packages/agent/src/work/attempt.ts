import { type AgentResult, ToolStatus } from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { AgentDefinition } from "../definition.ts";
import { checkResult } from "../outcomes/check-result.ts";
import { timingOf } from "../outcomes/compose-result.ts";
import { resultFromError } from "../outcomes/from-error.ts";
import type { Outcomes } from "../outcomes/outcomes.ts";
import type { OnProblem } from "../problem.ts";
import { startStopwatch } from "../stopwatch.ts";
import type { AttemptFacts, Checked } from "../task/attempt-facts.ts";
import { Halt } from "../task/halt.ts";
import type { Listener } from "../task/narration.ts";
import { type OpenTask, openTask } from "../task/open-task.ts";
import { timeLeftMs } from "./time-left.ts";

export interface AttemptParts extends Checked {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly listener: Listener;
  readonly noteTool: (tool: string, started: boolean) => void;
  readonly onProblem: OnProblem;
  /** When the envelope came, as `performance.now()` has it: time spent waiting for a place counts. */
  readonly arrivedMs: number;
}

export type StopReason = "cancelled" | "deadline" | "closing";

/**
 * One run of the author's function.
 *
 * I1. It is answered exactly once: by a result, or by nothing when it was cancelled.
 * I2. Nothing is told after the answer.
 * I3. `settled` comes when the function has returned: after the answer, and perhaps long after it.
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
  const open = openTask({ facts, halt, listener: parts.listener, noteTool: parts.noteTool });

  let over = false;
  const end = (result: AgentResult | undefined) => {
    over = true;
    clearTimeout(timer);
    answer.resolve(result);
  };
  const stop = (why: StopReason, explanation = explanations[why]) => {
    if (over) return;
    open.narration.abandonCalls(why === "deadline" ? ToolStatus.TIMEOUT : ToolStatus.FAILURE);
    end(why === "cancelled" ? undefined : stoppedResult(open.outcomes, why, explanation));
    halt.stop(why, explanation);
  };
  const leftMs = timeLeftMs(execution, performance.now() - parts.arrivedMs);
  const timer = setTimeout(() => stop("deadline"), leftMs);
  if (leftMs === 0) stop("deadline");

  const settled = runSafely(definition, open, halt).then((ended) => {
    if (over) return; // Whatever came of it counts for nothing.
    open.narration.abandonCalls(ToolStatus.FAILURE);
    end(answerFor(facts, open.outcomes, ended, onProblem));
    // Whatever the function left running ends with it.
    halt.stop("answered", "the task has been answered");
  });
  return { answered: answer.promise, settled, stop };
}

const explanations: Record<StopReason, string> = {
  cancelled: "the hub cancelled the attempt",
  deadline: "the attempt ran out of time",
  closing: "the agent is leaving",
};

type Ended = { readonly returned: unknown } | { readonly threw: unknown };

async function runSafely(definition: AgentDefinition, { task }: OpenTask, halt: Halt): Promise<Ended> {
  try {
    await undefined; // The caller knows the attempt before the function can say anything.
    halt.throwIfOver();
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

/** More than a place in a program has; what is longer was made up by a message. */
const longestFrame = 1_000;

/** Where in the author's own code it was thrown, or the call from there that led to it. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  const { stack, message }: { readonly stack?: unknown; readonly message: unknown } = thrown;
  if (typeof stack !== "string") return "";
  const said = typeof message === "string" ? stack.indexOf(message) + message.length : 0;
  for (const line of stack.slice(said).split("\n")) {
    if (!line.startsWith("    at ") || line.length > longestFrame) continue;
    const place = line.endsWith(")") ? line.slice(line.indexOf("(") + 1, -1) : line.slice(7);
    if (/:\d+:\d+$/.test(place) && !/^node:|\bnode_modules\b/.test(place))
      return place.replace(/^async /, "");
  }
  return "";
}

/** The answer itself, or a failure that says why it cannot be sent. */
function sendable(
  facts: AttemptFacts,
  outcomes: Outcomes,
  given: unknown,
  onProblem: OnProblem,
): AgentResult {
  try {
    const result = checkResult(facts, given);
    result.timing = timingOf(facts);
    return result;
  } catch (error) {
    if (error instanceof AgentError) onProblem(error);
    return bare(resultFromError(outcomes, error));
  }
}

/** What made the answer impossible to send may be among what was gathered, so nothing of that goes along. */
function bare(result: AgentResult): AgentResult {
  const reason = `the agent's own answer could not be sent: ${result.status?.failureReason}`;
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
