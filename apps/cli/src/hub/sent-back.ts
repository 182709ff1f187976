import type { Pipeline, Transition } from "@baton/contract";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { ifThere } from "./if-there.ts";

/** Work that was rejected or has to be done again, with the reason: the last of it. An older hub tells of none. */
export async function sentBack(
  hub: Hub,
  { pipelineId, stages }: Pipeline,
  signal: AbortSignal,
): Promise<readonly Transition[]> {
  if (stages.every(({ attemptNumber }) => attemptNumber < 2)) return [];
  const answer = await ifThere(hub.inspection.getTransitions({ pipelineId }, { signal }));
  return (answer?.transitions ?? []).filter(isSentBack).slice(-limits.shownSentBack);
}

function isSentBack({ fromStatus, toStatus, dispatchId, reason, abandoned }: Transition): boolean {
  const isRetry = fromStatus === "DISPATCHED" && toStatus === "DISPATCHED" && dispatchId === "";
  return !abandoned && reason !== "" && (isRetry || toStatus === "REJECTED");
}
