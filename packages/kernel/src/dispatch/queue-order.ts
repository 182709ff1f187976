import { Priority } from "@baton/contract";

/**
 * The order in which tasks that wait for an agent are served. A task counts as having waited longer by `ageingMs` for each
 * level of its priority, so a higher priority goes first among those that came at about the same time, and whoever has
 * waited long enough goes before everyone who comes later. All of them age at the same rate, so the order of two tasks
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

/** A moment: whose is earlier is served first, and of two that are equal the one that came first. */
export function servedBy(priority: Priority, waitsSinceMs: number): number {
  return waitsSinceMs - levels[priority] * ageingMs;
}
