import { PipelineSchema } from "@baton/contract";
import type { PastDispatch } from "@baton/kernel";
import { fromBinary } from "@bufbuild/protobuf";
import type { PipelineField, PipelineRow, Query } from "../ports/store.ts";
import { available, type HubContext } from "./context.ts";
import { recordsOf } from "./read-records.ts";

interface Search {
  readonly tenantId: string;
  readonly taskType: string;
  /** How many pipelines with such a dispatch are enough. */
  readonly pipelines: number;
  /** How many journals are read for them. */
  readonly journals: number;
  /** How many pipelines of any kind are gone through for them. */
  readonly lookedAt: number;
}

interface Found {
  /** Newest first, each with what it was decided from. */
  readonly dispatches: readonly PastDispatch[];
  readonly lookedAt: number;
}

/** So many rows at once; between them others have their turn. */
const pageSize = 100;

const newestFirst: Query<PipelineField>["orderBy"] = [
  { field: "createdAtMs", descending: true },
  { field: "pipelineId", descending: true },
];

/** Looks for dispatches of a type of task in the last pipelines. Only journals of pipelines with such a task are read. */
export async function findPastDispatches(context: HubContext, search: Search): Promise<Found> {
  const { tenantId, taskType, pipelines, journals } = search;
  const dispatches: PastDispatch[] = [];
  let [lookedAt, read, fitting] = [0, 0, 0];
  let last: PipelineRow | undefined;
  while (lookedAt < search.lookedAt) {
    const limit = Math.min(pageSize, search.lookedAt - lookedAt);
    const after = last && [last.createdAtMs, last.pipelineId];
    const query = { tenantId, where: [], orderBy: newestFirst, after, limit };
    const rows = await available(context.store.pipelines(query));
    for (const row of rows) {
      if (fitting === pipelines || read === journals) return { dispatches, lookedAt };
      lookedAt++;
      if (!(await taskTypesOf(context, row)).includes(taskType)) continue;
      read++;
      const found = await dispatchesOf(context, row.pipelineId, taskType);
      if (found.length > 0) fitting++;
      dispatches.push(...found);
    }
    if (rows.length < limit) break;
    last = rows.at(-1);
  }
  return { dispatches, lookedAt };
}

/** An ended pipeline has a view beside it; one that goes on is in memory. */
async function taskTypesOf(
  { driver }: HubContext,
  { pipelineId, view }: PipelineRow,
): Promise<readonly string[]> {
  if (view) return fromBinary(PipelineSchema, view).stages.map(({ taskType }) => taskType);
  const state = await available(driver.pipeline(pipelineId));
  return state?.plan.stages.map(({ taskType }) => taskType) ?? [];
}

async function dispatchesOf(
  context: HubContext,
  pipelineId: string,
  taskType: string,
): Promise<readonly PastDispatch[]> {
  const records = await recordsOf(context, pipelineId);
  return records.toReversed().flatMap((record) => {
    if (record.type !== "dispatched" || record.question.taskType !== taskType) return [];
    const { dispatchId, question, facts, choice } = record;
    return [{ dispatchId, question, facts, packId: choice.packId, instanceId: choice.instanceId }];
  });
}
