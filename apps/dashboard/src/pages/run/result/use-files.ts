import type { FileDiff, Pipeline } from "@baton/contract/messages";
import { keptWork } from "@baton/kernel/deciding";
import { inspection } from "../../../hub/client.ts";
import { useLive } from "../../../hub/use-live.ts";

/** Most runs have one merge. */
const maxMerges = 20;

export interface ResultFiles {
  readonly files: readonly FileDiff[];
  /** The number of omitted files; NaN when a change could not be read. */
  readonly leftOut: number;
}

const none: ResultFiles = { files: [], leftOut: 0 };

/** The files changed by the kept commits of an ended run; undefined while they are read. */
export function useFiles(pipeline: Pipeline, disabled: boolean): ResultFiles | undefined {
  const kept = disabled ? [] : keptWork(pipeline);
  const { value, problem } = useLive(
    `files ${kept.map(({ commit }) => commit).join(" ")}`,
    async (signal): Promise<ResultFiles> => {
      const read = await Promise.all(
        kept
          .slice(0, maxMerges)
          .map(({ dispatchId }) => inspection.getPipelineChanges({ dispatchId }, { signal })),
      );
      const byPath = new Map(read.flatMap(({ files }) => files.map((file) => [file.path, file])));
      const counts = read.map(({ reason, filesLeftOut }) => (reason === "" ? filesLeftOut : Number.NaN));
      const all = kept.length > maxMerges ? [...counts, Number.NaN] : counts;
      return { files: [...byPath.values()], leftOut: all.reduce((sum, count) => sum + count, 0) };
    },
    { touches: () => false, disabled: kept.length === 0 },
  );
  if (kept.length === 0) return none;
  return value ?? (problem ? { files: [], leftOut: Number.NaN } : undefined);
}
