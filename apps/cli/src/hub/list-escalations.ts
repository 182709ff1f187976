import type { Escalation, Pipeline } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { all, quote } from "./filter.ts";
import { type Listed, readPages } from "./read-pages.ts";
import { hasEnded } from "./standing.ts";

export function listEscalations(
  hub: Hub,
  { most, filter }: { readonly most: number; readonly filter: string },
  signal: AbortSignal,
): Promise<Listed<Escalation>> {
  return readPages(most, async (place) => {
    const request = { ...place, filter, orderBy: "raised_at" };
    const { escalations, nextPageToken } = await hub.orchestrator.listEscalations(request, { signal });
    return { rows: escalations, nextPageToken };
  });
}

/** What a pipeline asks people now. Whoever may not see questions may still see the pipeline. */
export async function openQuestions(
  hub: Hub,
  { pipelineId }: Pipeline,
  signal: AbortSignal,
): Promise<readonly Escalation[]> {
  const filter = all(`pipeline_id = ${quote(pipelineId)}`, "resolved = false");
  return visible(hub, { most: limits.defaultListRows, filter }, signal);
}

/** What each of these pipelines asks people now; those that have ended ask nothing. */
export async function openQuestionsOf(
  hub: Hub,
  pipelines: readonly Pipeline[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Escalation[]>> {
  if (pipelines.every(hasEnded)) return new Map();
  const rows = await visible(hub, { most: limits.listedQuestions, filter: "resolved = false" }, signal);
  return Map.groupBy(rows, ({ pipelineId }) => pipelineId);
}

async function visible(
  hub: Hub,
  asked: { readonly most: number; readonly filter: string },
  signal: AbortSignal,
): Promise<readonly Escalation[]> {
  try {
    return (await listEscalations(hub, asked, signal)).rows;
  } catch (error) {
    if (error instanceof ConnectError && notForUs.has(error.code)) return [];
    throw error;
  }
}

const notForUs: ReadonlySet<Code> = new Set([Code.PermissionDenied, Code.Unimplemented]);
