import { limits } from "../limits.ts";

/**
 * Three heartbeats a lease, so that one may be lost. The hub states the end of the lease by its own clock. When that is
 * no lease at all by the clock here, or a longer one than was asked for, the clocks differ, and what was asked counts.
 */
export function heartbeatIntervalMs(leaseEndsMs: number | undefined): number {
  const stated = leaseEndsMs === undefined ? limits.leaseMs : leaseEndsMs - Date.now();
  const leaseMs = stated > 0 && stated < limits.leaseMs ? stated : limits.leaseMs;
  return Math.max(leaseMs / 3, limits.heartbeatLeastMs);
}
