/**
 * What decides the place of a live instance in the order of its profile. Changed in place: fresh objects for every
 * heartbeat of a large fleet would keep the collector busy.
 */
export interface Seat {
  readonly instanceId: string;
  activeTasks: number;
  maxTasks: number;
  avgLatencyMs: number;
  leaseUntilMs: number;
  /** Where its heap keeps it. */
  position: number;
}
