import type { Store } from "../ports/store.ts";

export interface Search {
  readonly tenantId: string;
  readonly pipelineId: string;
  /** Exclusive lower bound. */
  readonly after: bigint;
  /** The last stored event. */
  readonly end: bigint;
}

/** Searches by time instead of pipeline. */
export interface SearchSince extends Omit<Search, "pipelineId"> {
  readonly fromMs: number;
}

/**
 * The sequence after which the events of a pipeline begin, found by binary search, so that watchers of one pipeline
 * need not read older events.
 *
 * It never skips events: those of a pipeline are stored after its creation, and times in the log do not decrease, also
 * when the clock was set back between two starts, because the hub's clock begins at the newest recorded transition. So
 * a row older than the pipeline precedes all its events.
 */
export async function findStart(
  store: Pick<Store, "events" | "pipeline">,
  { tenantId, pipelineId, after, end }: Search,
): Promise<bigint> {
  const pipeline = after < end ? await store.pipeline(pipelineId) : undefined;
  if (pipeline?.tenantId !== tenantId) return after;
  return findSince(store, { tenantId, after, end, fromMs: pipeline.createdAtMs });
}

export async function findSince(
  store: Pick<Store, "events">,
  { tenantId, after, end, fromMs }: SearchSince,
): Promise<bigint> {
  let [from, to] = [after, end];
  while (from < to) {
    const middle = from + (to - from) / 2n;
    const [row] = await store.events(tenantId, middle, 1);
    if (row !== undefined && row.atMs < fromMs) from = row.lastSequence;
    else to = middle;
  }
  return from;
}
