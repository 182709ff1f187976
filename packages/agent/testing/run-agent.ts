import type { AgentResult, Event, Step, TaskEnvelope, TurnEnvelope } from "@baton/contract";
import type { AgentError } from "../src/agent-error.ts";
import type { AgentDefinition } from "../src/api/definition.ts";
import { checkEnvelope } from "../src/attempt-facts.ts";
import { startAttempt } from "../src/work/attempt.ts";

export interface RunOptions {
  /** Aborting it cancels the attempt. */
  readonly cancel?: AbortSignal;
  /** Aborting it has the effect of the deadline. */
  readonly deadline?: AbortSignal;
  readonly instanceId?: string;
  /** Steps of earlier attempts after the first ones, beyond those of the envelope. */
  readonly listSteps?: (after: number) => Promise<readonly Step[]>;
}

export interface Run {
  /** Undefined for a cancelled attempt. */
  readonly result: AgentResult | undefined;
  readonly turns: readonly TurnEnvelope[];
  readonly events: readonly Event[];
  /** In the order in which they were stored; a step that began and ended is here twice. */
  readonly steps: readonly Step[];
  /** What `onProblem` would receive. */
  readonly problems: readonly AgentError[];
}

/** Runs an agent on an envelope without a hub, and returns everything that it would have sent. */
export async function runAgent(
  definition: AgentDefinition,
  envelope: TaskEnvelope,
  { cancel, deadline, instanceId = "test", listSteps = async () => [] }: RunOptions = {},
): Promise<Run> {
  const turns: TurnEnvelope[] = [];
  const events: Event[] = [];
  const steps: Step[] = [];
  const problems: AgentError[] = [];
  const attempt = startAttempt({
    ...checkEnvelope(envelope),
    definition,
    instanceId,
    sink: { turn: (turn) => turns.push(turn), event: (event) => events.push(event) },
    stepStore: {
      report: async (step) => void steps.push(step),
      list: listSteps,
    },
    noteTool: () => {},
    onProblem: (problem) => problems.push(problem),
    arrivedMs: performance.now(),
  });
  whenAborted(cancel, () => attempt.stop("cancelled"));
  whenAborted(deadline, () => attempt.stop("deadline"));
  const result = await attempt.answered;
  await attempt.settled;
  return { result, turns, events, steps, problems };
}

function whenAborted(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted) act();
  else signal?.addEventListener("abort", act, { once: true });
}
