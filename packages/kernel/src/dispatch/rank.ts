import { Priority } from "@baton/contract";
import type { Candidate } from "../fleet/fleet-view.ts";
import type { OfInstance } from "../fleet/state/record.ts";

/**
 * Step 3, the dynamic rank (A §3.2): healthy before degraded, then the least busy, then the fastest, then the preferred
 * pack. Ids make the order total.
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

/**
 * A retry prefers other instances than those that failed (A §3.2 step 7 "reroute to next candidate"), then those whose
 * failure is longest ago, then the rank.
 */
export function preferOthers(
  ranked: readonly Candidate[],
  failedOn: readonly OfInstance[],
): readonly Candidate[] {
  if (failedOn.length === 0) return ranked;
  return ranked.toSorted((a, b) => failureOrder(a, failedOn) - failureOrder(b, failedOn));
}

/** Zero for an instance without a failure; higher for later failures. */
export function failureOrder({ packId, instanceId }: OfInstance, failedOn: readonly OfInstance[]): number {
  return failedOn.findLastIndex((one) => one.packId === packId && one.instanceId === instanceId) + 1;
}

/** The first `n` of each health, as in `Profile.best`, of ranked candidates. */
export function firstPerHealth(ranked: readonly Candidate[], n: number): readonly Candidate[] {
  const first = (health: Candidate["health"]) => ranked.filter((one) => one.health === health).slice(0, n);
  return [...first("HEALTHY"), ...first("DEGRADED")];
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isFree({ activeTasks, maxTasks }: Candidate): boolean {
  return activeTasks < maxTasks;
}

/**
 * The order of tasks that wait for an agent. One level of priority is worth `ageingMs` of waiting: among tasks of similar
 * age the higher priority goes first, and a task that has waited long enough goes before all later ones. All tasks age
 * alike, so the order of two tasks never changes.
 */
export const ageingMs = 5 * 60_000;

const levels: Readonly<Record<Priority, number>> = {
  [Priority.LOW]: 0,
  [Priority.UNSPECIFIED]: 1,
  [Priority.NORMAL]: 1,
  [Priority.HIGH]: 2,
  [Priority.CRITICAL]: 3,
};

/** The sort key: the smaller is served first, ties by arrival. */
export function servingOrderKey(priority: Priority, waitsSinceMs: number): number {
  return waitsSinceMs - levels[priority] * ageingMs;
}
