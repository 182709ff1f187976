import type { Instance, PackState, Said } from "./fleet-state.ts";
import { hasTraits, isEmpty, newProfile, type ProfileIndex, profileKey } from "./profile-index.ts";

/** Brings an instance to the place in the index that its heartbeat, its dispatches and its conduct give it. */
export function reseat(pack: PackState, instance: Instance): void {
  const said = instance.presence === "LIVE" ? instance.said : undefined;
  const profile = said && profileOf(pack, instance, said);
  if (!profile) {
    unseat(pack, instance);
    return;
  }
  const { vitals } = said;
  // What the hub has sent is known at once, when it begins and when it ends; of the rest, the last heartbeat tells.
  instance.activeTasks = instance.dispatchIds.size + said.otherTasks;
  instance.maxTasks = capacityOf(vitals, profile);
  instance.avgLatencyMs = vitals.avgLatencyMs;
  const health = instance.conduct.standing === "quarantined" ? "QUARANTINED" : vitals.health;
  if (instance.profile === profile && instance.health === health) {
    profile.seats[health].move(instance);
    return;
  }
  unseat(pack, instance);
  pack.profiles.set(profile.key, profile); // It goes when its last instance leaves, and that may be this one.
  instance.profile = profile;
  instance.health = health;
  profile.seats[health].add(instance);
}

/** What it reports, within what its manifest allows; a manifest that states nothing allows all of it. */
function capacityOf({ maxTasks }: Said["vitals"], { manifest }: ProfileIndex): number {
  const allowed = manifest.interface?.maxConcurrentTasks ?? 0;
  return allowed > 0 ? Math.min(maxTasks, allowed) : maxTasks;
}

export function unseat(pack: PackState, instance: Instance): void {
  const { profile, health } = instance;
  if (!profile) return;
  profile.seats[health].remove(instance);
  instance.profile = undefined;
  if (isEmpty(profile)) pack.profiles.delete(profile.key);
}

/** None without its manifest: the records were replayed in part. */
function profileOf(pack: PackState, { profile: current }: Instance, said: Said): ProfileIndex | undefined {
  if (current && hasTraits(current, said)) return current;
  const known = pack.profiles.get(profileKey(said));
  if (known) return known;
  const manifest = pack.manifests.get(said.packVersion);
  if (!manifest) return undefined;
  return newProfile(manifest, said);
}
