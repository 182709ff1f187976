import type { Candidate, Profile } from "../fleet/fleet-view.ts";
import type { Rejection } from "./filter.ts";
import type { RoutingDefaults } from "./routing-policy.ts";

/**
 * The candidates of a profile, by health. The fleet omits UNHEALTHY and QUARANTINED instances (A §3.3); a policy with
 * `require_healthy` also omits DEGRADED ones (A §3.1). Visits at most 2n instances.
 */
export function healthyCandidates(
  profile: Profile,
  n: number,
  nowMs: number,
  { requireHealthy }: RoutingDefaults,
): readonly Candidate[] {
  const best = profile.best(n, nowMs);
  return requireHealthy ? best.filter(({ health }) => health === "HEALTHY") : best;
}

/** Why no instance of a profile is a candidate because of health; undefined when there is one. */
export function rejectHealth(
  { healthy, degraded, unhealthy, quarantined }: Profile["counts"],
  { requireHealthy }: RoutingDefaults,
  complaint: () => string,
  shutOut: () => string,
): Rejection | undefined {
  if (requireHealthy && degraded > 0) {
    const why = complaint();
    return {
      reason: `${degraded} degraded${why && ` (${why})`}, and the routing policy takes only healthy instances`,
      remedy: why
        ? `${why}. Fix it and answer "retry", or let degraded instances work: defaults.require_healthy: false`
        : "fix what is degraded, or set defaults.require_healthy to false",
      transient: false,
    };
  }
  if (healthy + degraded > 0) return undefined;
  // The reported reason of a quarantined instance does not matter.
  const why = unhealthy > 0 ? complaint() : "";
  return {
    reason: `${unhealthy} unhealthy and ${quarantined} quarantined instances, and no other${why && `: ${why}`}`,
    remedy: quarantined > 0 ? adviseRestore(shutOut() || "PACK/INSTANCE") : fixFor(why),
    transient: false,
  };
}

function adviseRestore(name: string): string {
  const who = name === "PACK/INSTANCE" ? "an instance" : name;
  return `fix ${who}, then let it in again: baton agent restore ${name} --reason "..."`;
}

function fixFor(why: string): string {
  return why === "" ? "fix an instance" : `${why}; the task goes on by itself then`;
}
