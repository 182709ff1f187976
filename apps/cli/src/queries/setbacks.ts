import type { Pipeline, Transition } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { optionalAnswer } from "../hub/optional-answer.ts";
import { limits } from "../limits.ts";

/** An attempt that was rejected or is retried, and why. */
export interface Setback {
  readonly stageId: string;
  readonly attempt: number;
  readonly reason: string;
}

export interface Setbacks {
  /** The last rejected or retried attempts. */
  readonly setbacks: readonly Setback[];
  /** Rewinds of the whole run, oldest first. */
  readonly rewinds: readonly Transition[];
}

/** Rejections, retries and rewinds of a run. Empty with an older hub. */
export async function readSetbacks(
  hub: Hub,
  { pipelineId }: Pipeline,
  signal: AbortSignal,
): Promise<Setbacks> {
  const answer = await optionalAnswer(hub.inspection.getTransitions({ pipelineId }, { signal }));
  const { transitions = [] } = answer ?? {};
  return {
    setbacks: setbacksOf(transitions).slice(-limits.setbacks),
    rewinds: transitions.filter(({ rewoundTo, stageId }) => rewoundTo > 0n && stageId === ""),
  };
}

/**
 * A transition has the number of the attempt that follows. The attempt that was sent back is the one before it on the stage,
 * whose number need not be one less: a rewind returns to an earlier attempt, and numbers are never reused.
 */
function setbacksOf(transitions: readonly Transition[]): readonly Setback[] {
  const current = new Map<string, number>();
  return transitions.flatMap((transition) => {
    const { stageId, attemptNumber, reason } = transition;
    // The hub leaves out the first of very many transitions.
    const attempt = current.get(stageId) || attemptNumber - 1;
    current.set(stageId, attemptNumber);
    return isSetback(transition) ? [{ stageId, attempt, reason }] : [];
  });
}

function isSetback({ fromStatus, toStatus, dispatchId, reason, abandoned }: Transition): boolean {
  const isRetry = fromStatus === "DISPATCHED" && toStatus === "DISPATCHED" && dispatchId === "";
  return !abandoned && reason !== "" && (isRetry || toStatus === "REJECTED");
}
