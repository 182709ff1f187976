import { type AgentResult, AttemptPart, type Pipeline, type Stage } from "@baton/contract/forms";
import { ConnectError } from "@connectrpc/connect";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";

/** A pipeline with the results that the hub left out because all of them do not fit into one answer. */
export async function withResults(hub: Hub, pipeline: Pipeline, signal: AbortSignal): Promise<Pipeline> {
  let room = limits.resultBytes;
  const stages: Stage[] = [];
  for (const stage of pipeline.stages) {
    const { dispatchId, resultLeftOutBytes: bytes } = stage;
    const isWanted = bytes > 0 && bytes <= room;
    const result = isWanted ? await readResult(hub, dispatchId, signal) : undefined;
    if (result) room -= bytes;
    stages.push(result ? { ...stage, result, resultLeftOutBytes: 0 } : stage);
  }
  return { ...pipeline, stages };
}

/** One that cannot be had stays left out, which is said. */
export async function readResult(
  hub: Hub,
  dispatchId: string,
  signal: AbortSignal,
): Promise<AgentResult | undefined> {
  try {
    const { result } = await hub.inspection.getAttempt({ dispatchId, part: AttemptPart.RESULT }, { signal });
    return result;
  } catch (error) {
    if (signal.aborted || !(error instanceof ConnectError)) throw error;
    return undefined;
  }
}
