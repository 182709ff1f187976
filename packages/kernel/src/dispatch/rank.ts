import type { Candidate } from "../fleet/fleet-view.ts";

/**
 * Step 3, the dynamic rank (A §3.2): healthy before degraded, then the least busy, then the fastest, then the preferred
 * pack. Ids come last, so that the order never depends on chance.
 */
export function rankCandidates(
  candidates: readonly Candidate[],
  preferredPackId: string | undefined,
): readonly Candidate[] {
  return candidates.toSorted(
    (a, b) =>
      Number(a.health === "DEGRADED") - Number(b.health === "DEGRADED") ||
      // a/m < b/n without a division, so that equal ratios are equal.
      a.activeTasks * b.maxTasks - b.activeTasks * a.maxTasks ||
      a.avgLatencyMs - b.avgLatencyMs ||
      Number(b.packId === preferredPackId) - Number(a.packId === preferredPackId) ||
      compareText(a.packId, b.packId) ||
      compareText(a.instanceId, b.instanceId),
  );
}

/** The first `n` of each health, as `Profile.best` promises them; the candidates are ranked already. */
export function firstOfEach(ranked: readonly Candidate[], n: number): readonly Candidate[] {
  const first = (health: Candidate["health"]) => ranked.filter((one) => one.health === health).slice(0, n);
  return [...first("HEALTHY"), ...first("DEGRADED")];
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isFree({ activeTasks, maxTasks }: Candidate): boolean {
  return activeTasks < maxTasks;
}
