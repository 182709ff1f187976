import {
  AuditEventType,
  GetPipelineRequestSchema,
  ListAuditEntriesRequestSchema,
  PipelineStatus,
} from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { ada } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";

/** What the hub shows of a pipeline of one stage: where it stands, and how it came there. */
export interface Account {
  readonly status: string;
  readonly attempts: number;
  /** Of the attempts, in the order of the record; what the hub does with every task is left out. */
  readonly record: readonly string[];
}

const always = new Set([AuditEventType.DISPATCH_DECISION, AuditEventType.DISPATCH_SENT]);

export async function accountOf(hub: Hub, pipelineId: string): Promise<Account> {
  const { pipeline } = await hub.getPipeline(ada, create(GetPipelineRequestSchema, { pipelineId }));
  return {
    status: PipelineStatus[pipeline?.status ?? 0] ?? "",
    attempts: pipeline?.stages[0]?.attemptNumber ?? 0,
    record: await recordOf(hub, pipelineId),
  };
}

async function recordOf(hub: Hub, pipelineId: string): Promise<readonly string[]> {
  const filter = `pipeline_id = "${pipelineId}"`;
  const request = create(ListAuditEntriesRequestSchema, { filter, orderBy: "sequence", pageSize: 1000 });
  const { entries } = await hub.listAuditEntries(ada, request);
  return entries
    .filter(({ eventType, dispatchId }) => dispatchId !== "" && !always.has(eventType))
    .map(({ action, dispatchId }) => `${dispatchId.split("/").at(-1)}: ${action}`);
}
