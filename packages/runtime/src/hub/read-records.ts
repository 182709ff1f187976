import type { PipelineRecord } from "@baton/kernel";
import { readRecords } from "../journal/codec.ts";
import { ContentFinder } from "../journal/contents.ts";
import { available, type HubContext } from "./context.ts";

/** All that was decided about a pipeline, in its order. */
export async function recordsOf(
  { store }: Pick<HubContext, "store">,
  pipelineId: string,
): Promise<readonly PipelineRecord[]> {
  const journal = await available(store.journal(pipelineId));
  const finder = new ContentFinder(journal?.contents ?? new Map());
  return journal?.texts.flatMap((text) => readRecords(text, finder)) ?? [];
}
