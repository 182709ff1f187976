import type { Kernel, PipelineRecord, PipelineState } from "../kernel.ts";
import { demand } from "../violation.ts";
import { difference, digestOf } from "./same.ts";

/**
 * Folding all records again gives the state again, bit for bit. A copy shares nothing with what was put in, as what comes
 * out of a store; it takes longer, so not every replay is made from one.
 */
export function checkReplay(
  kernel: Kernel,
  records: readonly PipelineRecord[],
  live: PipelineState,
  fromCopy: boolean,
): void {
  const stored = fromCopy ? structuredClone(records) : records;
  const replayed = stored.reduce<PipelineState | undefined>(kernel.evolve, undefined);
  if (!fromCopy && replayed) return checkShadow(live, replayed);
  const found = difference(live, replayed);
  demand(found === undefined, "replay gives the live state", () => `they differ at ${found}`);
  demand(digestOf(live) === digestOf(replayed), "replay gives the live state", () => "their digests differ");
}

/** The same for one decision: cheap enough for every step, since both share what is in the records. */
export function checkShadow(live: PipelineState, shadow: PipelineState): void {
  const { plan: _, ...one } = live;
  const { plan: __, ...other } = shadow;
  const found = difference(one, other);
  demand(found === undefined, "replay gives the live state", () => `they differ at ${found}`);
}
