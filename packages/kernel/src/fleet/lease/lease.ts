import type { FleetSettings } from "../settings.ts";

/**
 * The presence of one instance (A §3.1 layer 2, §3.2 step 6).
 * I1. A lease counts as ended from the moment it runs out, whether or not a tick has recorded it.
 * I2. When a lease ends, every active dispatch of the instance is lost, and the record names them.
 * I3. A quarantined instance is never forgotten: it could return with a clean record.
 */
export const leaseTransitions = {
  ABSENT: { heartbeat: "LIVE", note: "GONE" },
  LIVE: { heartbeat: "LIVE", expire: "GONE", detach: "GONE" },
  GONE: { heartbeat: "LIVE", forget: "ABSENT" },
} as const;

/** Absent instances are not in the state. */
export type Presence = Exclude<keyof typeof leaseTransitions, "ABSENT">;

/** Counted from arrival, by the hub's clock: the agent's clock may be wrong. */
export function leaseUntil(
  askedMs: number | undefined,
  nowMs: number,
  { leaseTtlMs }: Pick<FleetSettings, "leaseTtlMs">,
): number {
  const ttlMs = askedMs ?? leaseTtlMs.default;
  return nowMs + Math.min(Math.max(ttlMs, leaseTtlMs.min), leaseTtlMs.max);
}
