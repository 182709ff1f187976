import { PipelineSchema } from "@baton/contract";
import type { PastDispatch } from "@baton/kernel";
import { fromBinary } from "@bufbuild/protobuf";
import { recordsOf } from "../../journal/read-records.ts";
import { available } from "../../ports/available.ts";
import type { PipelineField, PipelineRow, Query } from "../../ports/store.ts";
import type { HubContext } from "../context.ts";

interface Search {
  readonly tenantId: string;
  readonly taskType: string;
  /** Maximum number of pipelines with such a dispatch. */
  readonly pipelines: number;
  /** Maximum number of journals read. */
  readonly journals: number;
  /** Maximum number of pipelines searched. */
  readonly lookedAt: number;
}

interface Found {
  /** Newest first, with the inputs of each decision. */
  readonly dispatches: readonly PastDispatch[];
  readonly lookedAt: number;
}

/** Rows per read, so that other work can run in between. */
const pageSize = 100;

const newestFirst: Query<PipelineField>["orderBy"] = [
  { field: "createdAtMs", descending: true },
  { field: "pipelineId", descending: true },
];

/** Finds recent dispatches of a task type. Only journals of pipelines with such a stage are read. */
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

/** Ended pipelines have a stored view; others are in memory. */
async function taskTypesOf(
  { engine }: HubContext,
  { pipelineId, view }: PipelineRow,
): Promise<readonly string[]> {
  if (view) return fromBinary(PipelineSchema, view).stages.map(({ taskType }) => taskType);
  const state = await available(engine.pipeline(pipelineId));
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
