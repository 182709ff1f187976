import type { Store } from "../ports/store.ts";

export interface Sought {
  readonly tenantId: string;
  readonly pipelineId: string;
  /** Not before this one. */
  readonly after: bigint;
  /** The last event that is known to be stored. */
  readonly end: bigint;
}

/** As `findBeginning`, of what was stored at a time or later. */
export interface SoughtSince extends Omit<Sought, "pipelineId"> {
  readonly fromMs: number;
}

/**
 * The number after which the events of a pipeline begin, so that those who want only these need not look through
 * everything that was stored before it was made. It costs a few rows.
 *
 * Nothing is skipped that should not be. Events of a pipeline are stored at the time of its making or later, and so is
 * whatever follows them, also when the clock of the machine was set back between two lives of the hub: its clock begins
 * at the newest transition on record. A row from before that time is therefore one from before the pipeline, and the
 * search ends after such a row.
 */
export async function findBeginning(
  store: Pick<Store, "events" | "pipeline">,
  { tenantId, pipelineId, after, end }: Sought,
): Promise<bigint> {
  const pipeline = after < end ? await store.pipeline(pipelineId) : undefined;
  if (pipeline?.tenantId !== tenantId) return after;
  return findSince(store, { tenantId, after, end, fromMs: pipeline.createdAtMs });
}

export async function findSince(
  store: Pick<Store, "events">,
  { tenantId, after, end, fromMs }: SoughtSince,
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
