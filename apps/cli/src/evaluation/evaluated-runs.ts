import { type EvaluatedRun, evaluatedRun, evaluationLabels } from "@baton/kernel/deciding";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { readPages } from "../hub/read-pages.ts";
import { limits } from "../limits.ts";

/** The stored runs of a version of an evaluation. */
export async function readEvaluatedRuns(
  hub: Hub,
  name: string,
  version: string,
  signal: AbortSignal,
  max: number = limits.listRows,
): Promise<readonly EvaluatedRun[]> {
  const { kind, name: nameLabel, version: versionLabel } = evaluationLabels;
  const filter = all(
    `labels.${kind} = "case"`,
    `labels.${nameLabel} = ${quote(name)}`,
    `labels.${versionLabel} = ${quote(version)}`,
  );
  const { rows } = await readPages(max, async (page) => {
    const request = { ...page, filter, orderBy: "created_at desc" };
    const { pipelines, nextPageToken } = await hub.orchestrator.listPipelines(request, { signal });
    return { rows: pipelines, nextPageToken };
  });
  return rows.flatMap((run) => evaluatedRun(run) ?? []);
}
