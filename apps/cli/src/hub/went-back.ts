import type { Pipeline, Transition } from "@baton/contract/forms";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { ifThere } from "./if-there.ts";

/** An attempt that was rejected or has to be made again, and why. */
export interface SentBack {
  readonly stageId: string;
  readonly attempt: number;
  readonly reason: string;
}

export interface WentBack {
  /** The last of what was sent back. */
  readonly sentBack: readonly SentBack[];
  /** Where people have taken the whole pipeline back, oldest first. */
  readonly rewinds: readonly Transition[];
}

/** What did not go the plain way. An older hub tells of nothing. */
export async function wentBack(hub: Hub, { pipelineId }: Pipeline, signal: AbortSignal): Promise<WentBack> {
  const answer = await ifThere(hub.inspection.getTransitions({ pipelineId }, { signal }));
  const { transitions = [] } = answer ?? {};
  return {
    sentBack: sentBackOf(transitions).slice(-limits.shownSentBack),
    rewinds: transitions.filter(({ rewoundTo, stageId }) => rewoundTo > 0n && stageId === ""),
  };
}

/**
 * A transition has the number of the attempt that follows. What was sent back is what the stage was about before, which
 * need not be one less: a rewind puts an earlier attempt back, and no number is given twice.
 */
function sentBackOf(transitions: readonly Transition[]): readonly SentBack[] {
  const current = new Map<string, number>();
  return transitions.flatMap((one) => {
    const { stageId, attemptNumber, reason } = one;
    // Of a great many transitions the first are not told.
    const attempt = current.get(stageId) || attemptNumber - 1;
    current.set(stageId, attemptNumber);
    return isSentBack(one) ? [{ stageId, attempt, reason }] : [];
  });
}

function isSentBack({ fromStatus, toStatus, dispatchId, reason, abandoned }: Transition): boolean {
  const isRetry = fromStatus === "DISPATCHED" && toStatus === "DISPATCHED" && dispatchId === "";
  return !abandoned && reason !== "" && (isRetry || toStatus === "REJECTED");
}
