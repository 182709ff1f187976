import { Priority } from "@baton/contract";

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
