import { type EvaluatedRun, evaluatedRun, evaluationLabels } from "@baton/kernel/deciding";
import { orchestrator } from "../../hub/client.ts";
import { readPages } from "../../hub/read-pages.ts";
import { useLive } from "../../hub/use-live.ts";

/** All are read again after changes. */
const maxRuns = 1_000;

export interface EvaluatedRuns {
  /** The newest first. */
  readonly runs: readonly EvaluatedRun[];
  readonly hasMore: boolean;
}

/** The runs of all evaluations. */
export function useEvaluatedRuns() {
  return useLive(
    "evals",
    async (signal): Promise<EvaluatedRuns> => {
      const filter = `labels.${evaluationLabels.kind} = "case"`;
      const { rows, hasMore } = await readPages(maxRuns, async (place) => {
        const request = { filter, orderBy: "created_at desc", ...place };
        const { pipelines, nextPageToken } = await orchestrator.listPipelines(request, { signal });
        return { rows: pipelines, nextPageToken };
      });
      return { runs: rows.flatMap((run) => evaluatedRun(run) ?? []), hasMore };
    },
    { everyMs: 5_000, touches: () => false },
  );
}
