import type { PipelineRecord } from "@baton/kernel";
import { available } from "../ports/available.ts";
import type { Store } from "../ports/store.ts";
import { readRecords } from "./codec.ts";
import { ContentFinder } from "./contents.ts";

/** The records of a pipeline, in order. */
export async function recordsOf(
  { store }: { readonly store: Pick<Store, "journal"> },
  pipelineId: string,
): Promise<readonly PipelineRecord[]> {
  const journal = await available(store.journal(pipelineId));
  const finder = new ContentFinder(journal?.contents ?? new Map());
  return journal?.texts.flatMap((text) => readRecords(text, finder)) ?? [];
}
