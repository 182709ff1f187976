import type { Retention, RetentionShare } from "../../ports/store.ts";
import type { Kept } from "./kept.ts";

interface Aged {
  readonly atMs: number;
  readonly size: number;
}

/** In memory it is done at once. */
export function pruneKept(kept: Kept, keep: Retention): void {
  for (const tenant of kept.heads.values()) {
    const sizes = tenant.events.map(({ atMs, events }) => ({ atMs, size: events.length }));
    // The next events go on from the last ones.
    tenant.events.splice(0, Math.min(countAged(sizes, keep.events), Math.max(0, sizes.length - 1)));
  }
  for (const rows of Map.groupBy(kept.turns.values(), ({ tenantId }) => tenantId).values()) {
    const sizes = rows.map(({ atMs, envelope }) => ({ atMs, size: Buffer.byteLength(envelope) }));
    for (const row of rows.slice(0, countAged(sizes, keep.turns))) {
      kept.turns.delete(`${row.dispatchId}\n${row.turnIndex}`);
    }
  }
}

/** How many of the oldest are too old or too much. */
function countAged(
  rows: readonly Aged[],
  { fromMs = 0, bytes = Number.POSITIVE_INFINITY }: RetentionShare,
): number {
  let held = rows.reduce((sum, { size }) => sum + size, 0);
  for (const [place, { atMs, size }] of rows.entries()) {
    if (atMs >= fromMs && held <= bytes) return place;
    held -= size;
  }
  return rows.length;
}
