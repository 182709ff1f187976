import { Priority } from "@baton/contract";

/**
 * The order in which tasks that wait for an agent are served. Each level of priority counts as `ageingMs` of waiting, so
 * higher priority goes first among tasks of about the same age, and a task that has waited long enough goes before
 * every later one. All tasks age at the same rate, so the order of two tasks
 * never changes while they wait.
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
