import {
  type HealthClass,
  hasTraits,
  isEmpty,
  newProfile,
  type ProfileIndex,
  profileKey,
} from "../candidates/profile-index.ts";
import type { Instance, InstanceReport, PackState } from "./fleet-state.ts";

/** Updates the position of an instance in the index after a heartbeat, a dispatch or a change of conduct. */
export function rank(pack: PackState, instance: Instance): void {
  const lastReport = instance.presence === "LIVE" ? instance.lastReport : undefined;
  const profile = lastReport && profileOf(pack, instance, lastReport);
  if (!profile) {
    unrank(pack, instance);
    return;
  }
  const { vitals } = lastReport;
  // The hub counts its own dispatches at once; other tasks are as of the last heartbeat.
  instance.activeTasks = instance.dispatchIds.size + lastReport.otherTasks;
  instance.maxTasks = capacityOf(vitals, profile);
  instance.avgLatencyMs = vitals.avgLatencyMs;
  const health = healthOf(instance, vitals);
  if (instance.profile === profile && instance.health === health) {
    profile.orders[health].move(instance);
    return;
  }
  unrank(pack, instance);
  pack.profiles.set(profile.key, profile); // `unrank` deletes a profile with its last instance, which may be this one.
  instance.profile = profile;
  instance.health = health;
  profile.orders[health].add(instance);
}

/** An instance without a stream is no candidate, whatever its last heartbeat states. */
function healthOf({ conduct, isAway }: Instance, vitals: InstanceReport["vitals"]): HealthClass {
  if (conduct.standing === "quarantined") return "QUARANTINED";
  return isAway ? "UNHEALTHY" : vitals.health;
}

/** Reported concurrency, limited by the manifest if that states a limit. */
function capacityOf({ maxTasks }: InstanceReport["vitals"], { manifest }: ProfileIndex): number {
  const allowed = manifest.interface?.maxConcurrentTasks ?? 0;
  return allowed > 0 ? Math.min(maxTasks, allowed) : maxTasks;
}

export function unrank(pack: PackState, instance: Instance): void {
  const { profile, health } = instance;
  if (!profile) return;
  profile.orders[health].remove(instance);
  instance.profile = undefined;
  if (isEmpty(profile)) pack.profiles.delete(profile.key);
}

/** Undefined while its manifest is not known, which happens when records are replayed in part. */
function profileOf(
  pack: PackState,
  { profile: current }: Instance,
  lastReport: InstanceReport,
): ProfileIndex | undefined {
  if (current && hasTraits(current, lastReport)) return current;
  const known = pack.profiles.get(profileKey(lastReport));
  if (known) return known;
  const manifest = pack.manifests.get(lastReport.packVersion);
  if (!manifest) return undefined;
  return newProfile(manifest, lastReport);
}
