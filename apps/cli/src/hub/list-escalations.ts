import type { Escalation, Pipeline } from "@baton/contract/forms";
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
  const filter = all(`pipeline_id = ${quote(pipelineId)}`, isOpen);
  return (await visible(hub, { most: limits.listRows, filter }, signal)).rows;
}

/**
 * What each of these pipelines asks people now; those that have ended ask nothing. Mostly one call tells it of all. Where
 * more is open than is worth reading for that, each pipeline is asked by itself: what is right of few is right of many.
 */
export async function openQuestionsOf(
  hub: Hub,
  pipelines: readonly Pipeline[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Escalation[]>> {
  const underWay = pipelines.filter((pipeline) => !hasEnded(pipeline));
  if (underWay.length === 0) return new Map();
  const { rows, more } = await visible(hub, { most: limits.listedQuestions, filter: isOpen }, signal);
  if (!more) return Map.groupBy(rows, ({ pipelineId }) => pipelineId);
  const asked = new Map<string, readonly Escalation[]>();
  const left = underWay.values();
  const askOn = async () => {
    for (const pipeline of left) {
      const questions = await openQuestions(hub, pipeline, signal);
      if (questions.length > 0) asked.set(pipeline.pipelineId, questions);
    }
  };
  await Promise.all(Array.from({ length: limits.callsAtOnce }, askOn));
  return asked;
}

const isOpen = "resolved = false";

async function visible(
  hub: Hub,
  asked: { readonly most: number; readonly filter: string },
  signal: AbortSignal,
): Promise<Listed<Escalation>> {
  try {
    return await listEscalations(hub, asked, signal);
  } catch (error) {
    if (error instanceof ConnectError && notForUs.has(error.code)) return { rows: [], more: false };
    throw error;
  }
}

const notForUs: ReadonlySet<Code> = new Set([Code.PermissionDenied, Code.Unimplemented]);
