import type { PipelineState } from "../kernel.ts";
import { demand } from "../violation.ts";
import { difference, digestOf } from "./same.ts";

/** What comes of the records in the store is the live state, bit for bit. It shares nothing with what was put in. */
export function checkReplay(
  live: PipelineState,
  replayed: PipelineState | undefined,
  withDigests: boolean,
): void {
  const found = difference(live, replayed);
  demand(found === undefined, "replay gives the live state", () => `they differ at ${found}`);
  if (!withDigests) return;
  demand(digestOf(live) === digestOf(replayed), "replay gives the live state", () => "their digests differ");
}

/** The same for one decision: cheap enough for every step, since both share what is in the records. */
export function checkShadow(live: PipelineState, shadow: PipelineState): void {
  const { plan: _, ...one } = live;
  const { plan: __, ...other } = shadow;
  const found = difference(one, other);
  demand(found === undefined, "replay gives the live state", () => `they differ at ${found}`);
}
