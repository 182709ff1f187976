import type { FileDiff, Pipeline } from "@baton/contract/forms";
import { keptWork } from "@baton/kernel/deciding";
import { ConnectError } from "@connectrpc/connect";
import type { Hub } from "../hub/connect-hub.ts";
import { limits } from "../limits.ts";
import { hasEnded } from "./run-state.ts";

export interface ChangedFiles {
  readonly files: readonly FileDiff[];
  /** How many more files there are; NaN when a change could not be read. */
  readonly filesLeftOut: number;
}

/** The files that an ended run changed, from the commits of its accepted work. */
export async function readChangedFiles(
  hub: Hub,
  pipeline: Pipeline,
  signal: AbortSignal,
): Promise<ChangedFiles> {
  const kept = hasEnded(pipeline) ? keptWork(pipeline) : [];
  const byPath = new Map<string, FileDiff>();
  let filesLeftOut = kept.length > limits.readChanges ? Number.NaN : 0;
  for (const { dispatchId } of kept.slice(0, limits.readChanges)) {
    try {
      const changes = await hub.inspection.getPipelineChanges({ dispatchId }, { signal });
      filesLeftOut += changes.reason === "" ? changes.filesLeftOut : Number.NaN;
      for (const file of changes.files) byPath.set(file.path, file);
    } catch (error) {
      if (signal.aborted || !(error instanceof ConnectError)) throw error;
      filesLeftOut = Number.NaN;
    }
  }
  return { files: [...byPath.values()], filesLeftOut };
}
