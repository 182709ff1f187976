import type { Pipeline, Transition } from "@baton/contract/forms";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { ifThere } from "./if-there.ts";

export interface WentBack {
  /** Work that was rejected or has to be done again, with the reason: the last of it. */
  readonly sentBack: readonly Transition[];
  /** Where people have taken the whole pipeline back, oldest first. */
  readonly rewinds: readonly Transition[];
}

/** What did not go the plain way. An older hub tells of nothing. */
export async function wentBack(hub: Hub, { pipelineId }: Pipeline, signal: AbortSignal): Promise<WentBack> {
  const answer = await ifThere(hub.inspection.getTransitions({ pipelineId }, { signal }));
  const { transitions = [] } = answer ?? {};
  return {
    sentBack: transitions.filter(isSentBack).slice(-limits.shownSentBack),
    rewinds: transitions.filter(({ rewoundTo, stageId }) => rewoundTo > 0n && stageId === ""),
  };
}

function isSentBack({ fromStatus, toStatus, dispatchId, reason, abandoned }: Transition): boolean {
  const isRetry = fromStatus === "DISPATCHED" && toStatus === "DISPATCHED" && dispatchId === "";
  return !abandoned && reason !== "" && (isRetry || toStatus === "REJECTED");
}
