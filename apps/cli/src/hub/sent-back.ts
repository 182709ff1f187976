import type { Pipeline, Transition } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";

/** Work that was rejected or has to be done again, with the reason: the last of it. An older hub tells of none. */
export async function sentBack(
  hub: Hub,
  { pipelineId, stages }: Pipeline,
  signal: AbortSignal,
): Promise<readonly Transition[]> {
  if (stages.every(({ attemptNumber }) => attemptNumber < 2)) return [];
  try {
    const { transitions } = await hub.inspection.getTransitions({ pipelineId }, { signal });
    return transitions.filter(isSentBack).slice(-limits.shownSentBack);
  } catch (error) {
    if (error instanceof ConnectError && missing.has(error.code)) return [];
    throw error;
  }
}

function isSentBack({ fromStatus, toStatus, dispatchId, reason, abandoned }: Transition): boolean {
  const isRetry = fromStatus === "DISPATCHED" && toStatus === "DISPATCHED" && dispatchId === "";
  return !abandoned && reason !== "" && (isRetry || toStatus === "REJECTED");
}

const missing: ReadonlySet<Code> = new Set([Code.NotFound, Code.PermissionDenied, Code.Unimplemented]);
