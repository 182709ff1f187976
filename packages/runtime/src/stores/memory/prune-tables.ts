import type { Retention, RetentionShare } from "../../ports/store.ts";
import type { Tables } from "./tables.ts";

interface Aged {
  readonly atMs: number;
  readonly size: number;
}

/** Prunes everything in one step. */
export function pruneTables(tables: Tables, keep: Retention): void {
  for (const tenant of tables.heads.values()) {
    const sizes = tenant.events.map(({ atMs, events }) => ({ atMs, size: events.length }));
    // The next events continue the last ones.
    tenant.events.splice(0, Math.min(countAged(sizes, keep.events), Math.max(0, sizes.length - 1)));
  }
  for (const rows of Map.groupBy(tables.turns.values(), ({ tenantId }) => tenantId).values()) {
    const sizes = rows.map(({ atMs, envelope }) => ({ atMs, size: Buffer.byteLength(envelope) }));
    for (const row of rows.slice(0, countAged(sizes, keep.turns))) {
      tables.turns.delete(`${row.dispatchId}\n${row.turnIndex}`);
    }
  }
  for (const [key, { pipelineId, atMs }] of tables.steps) {
    const hasEnded = tables.pipelines.get(pipelineId)?.row.ended ?? true;
    if (hasEnded && atMs < (keep.turns.fromMs ?? 0)) tables.steps.delete(key);
  }
}

/** The number of the oldest rows that are beyond the retention. */
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
