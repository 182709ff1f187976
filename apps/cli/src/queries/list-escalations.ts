import type { Escalation, Pipeline } from "@baton/contract/forms";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { type Listed, readPages } from "../hub/read-pages.ts";
import { limits } from "../limits.ts";
import { hasEnded } from "./run-state.ts";

export function listEscalations(
  hub: Hub,
  { max, filter }: { readonly max: number; readonly filter: string },
  signal: AbortSignal,
): Promise<Listed<Escalation>> {
  return readPages(max, async (page) => {
    const request = { ...page, filter, orderBy: "raised_at" };
    const { escalations, nextPageToken } = await hub.orchestrator.listEscalations(request, { signal });
    return { rows: escalations, nextPageToken };
  });
}

/** The open questions of a run. Empty when the key may not read questions. */
export async function openQuestions(
  hub: Hub,
  { pipelineId }: Pipeline,
  signal: AbortSignal,
): Promise<readonly Escalation[]> {
  const filter = all(`pipeline_id = ${quote(pipelineId)}`, isOpen);
  return (await visible(hub, { max: limits.listRows, filter }, signal)).rows;
}

/**
 * The open questions of these runs, usually with one call. Where too many questions are open for that, each run is queried,
 * so that the answer is the same for few and many.
 */
export async function openQuestionsOf(
  hub: Hub,
  pipelines: readonly Pipeline[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Escalation[]>> {
  const underWay = pipelines.filter((pipeline) => !hasEnded(pipeline));
  if (underWay.length === 0) return new Map();
  const { rows, more } = await visible(hub, { max: limits.listedQuestions, filter: isOpen }, signal);
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
  asked: { readonly max: number; readonly filter: string },
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
