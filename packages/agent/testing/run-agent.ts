import type { AgentResult, Event, TaskEnvelope, TurnEnvelope } from "@baton/contract";
import type { AgentError } from "../src/agent-error.ts";
import type { AgentDefinition } from "../src/definition.ts";
import { startAttempt } from "../src/work/attempt.ts";
import { checkEnvelope } from "../src/work/check-envelope.ts";

export interface RunOptions {
  /** Aborting it cancels the attempt, as the hub would. */
  readonly cancel?: AbortSignal;
  /** Aborting it is the deadline, without waiting for it. */
  readonly deadline?: AbortSignal;
  readonly instanceId?: string;
}

export interface Run {
  /** What the hub would be sent; undefined for an attempt that was cancelled. */
  readonly result: AgentResult | undefined;
  readonly turns: readonly TurnEnvelope[];
  readonly events: readonly Event[];
  /** What the author would be told. */
  readonly problems: readonly AgentError[];
}

/** Runs an agent against an envelope without a hub, and gives back all that it would have sent. */
export async function runAgent(
  definition: AgentDefinition,
  envelope: TaskEnvelope,
  { cancel, deadline, instanceId = "test" }: RunOptions = {},
): Promise<Run> {
  const turns: TurnEnvelope[] = [];
  const events: Event[] = [];
  const problems: AgentError[] = [];
  const attempt = startAttempt({
    ...checkEnvelope(envelope),
    definition,
    instanceId,
    listener: { turn: (turn) => turns.push(turn), event: (event) => events.push(event) },
    noteTool: () => {},
    onProblem: (problem) => problems.push(problem),
    arrivedMs: performance.now(),
  });
  whenAborted(cancel, () => attempt.stop("cancelled"));
  whenAborted(deadline, () => attempt.stop("deadline"));
  const result = await attempt.answered;
  await attempt.settled;
  return { result, turns, events, problems };
}

function whenAborted(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted) act();
  else signal?.addEventListener("abort", act, { once: true });
}
