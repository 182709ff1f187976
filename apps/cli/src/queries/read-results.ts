import { type AgentResult, AttemptPart, type Pipeline, type Stage } from "@baton/contract/forms";
import { ConnectError } from "@connectrpc/connect";
import type { Hub } from "../hub/connect-hub.ts";
import { limits } from "../limits.ts";

/** A run with the results that the hub left out because they do not fit into one answer together. */
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

/** A result; undefined when it cannot be read, so that it stays marked as left out. */
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
