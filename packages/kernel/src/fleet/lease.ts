import type { FleetSettings } from "./settings.ts";

/**
 * The presence of one instance (A §3.1 layer 2, §3.2 step 6).
 *
 * I1. A lease that ran out counts as ended from that moment on, whether or not a tick has come by.
 * I2. When a lease ends, every dispatch under way at the instance is lost, and the record names them.
 * I3. A quarantined instance is never forgotten: it could come back as if nothing had happened.
 */
export const leaseTransitions = {
  ABSENT: { heartbeat: "LIVE", note: "GONE" },
  LIVE: { heartbeat: "LIVE", expire: "GONE", detach: "GONE" },
  GONE: { heartbeat: "LIVE", forget: "ABSENT" },
} as const;

/** Absent ones are not in the state. */
export type Presence = Exclude<keyof typeof leaseTransitions, "ABSENT">;

/** Counted from the arrival, by the hub's clock: the agent's clock may be wrong. */
export function leaseUntil(
  askedMs: number | undefined,
  nowMs: number,
  { leaseTtlMs }: Pick<FleetSettings, "leaseTtlMs">,
): number {
  const ttlMs = askedMs ?? leaseTtlMs.default;
  return nowMs + Math.min(Math.max(ttlMs, leaseTtlMs.min), leaseTtlMs.max);
}
