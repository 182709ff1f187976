import type { AgentManifest } from "@baton/contract";
import { SeatHeap } from "./seat-heap.ts";
import type { ReportedHealth } from "./vitals.ts";

/** How an instance stands for dispatch: as it reports itself, unless the hub has shut it out. */
export type HealthClass = ReportedHealth | "QUARANTINED";

export const healthClasses: readonly HealthClass[] = ["HEALTHY", "DEGRADED", "UNHEALTHY", "QUARANTINED"];

/** What every predicate of A §3.3 looks at; instances that agree in it are filtered together. */
export interface ProfileTraits {
  readonly packVersion: string;
  /** Sorted, each once. */
  readonly availableTools: readonly string[];
  /** Sorted, each once. */
  readonly degradedTools: readonly string[];
}

/** The live instances that agree in their traits, in order by health. */
export interface ProfileIndex extends ProfileTraits {
  readonly key: string;
  readonly manifest: AgentManifest;
  /** Of the manifest and available, without the degraded ones. */
  readonly tools: ReadonlySet<string>;
  readonly seats: Readonly<Record<HealthClass, SeatHeap>>;
}

/** Names may hold any character, so they are quoted: no two sets of traits share a key. */
export function profileKey({ packVersion, availableTools, degradedTools }: ProfileTraits): string {
  return JSON.stringify([packVersion, availableTools, degradedTools]);
}

export function newProfile(manifest: AgentManifest, traits: ProfileTraits): ProfileIndex {
  const { packVersion, availableTools, degradedTools } = traits;
  const tools = new Set([...manifest.providedTools, ...availableTools]);
  for (const tool of degradedTools) tools.delete(tool);
  return {
    key: profileKey(traits),
    packVersion,
    availableTools,
    degradedTools,
    manifest,
    tools,
    seats: {
      HEALTHY: new SeatHeap(),
      DEGRADED: new SeatHeap(),
      UNHEALTHY: new SeatHeap(),
      QUARANTINED: new SeatHeap(),
    },
  };
}

export function hasTraits(profile: ProfileTraits, traits: ProfileTraits): boolean {
  return (
    profile.packVersion === traits.packVersion &&
    sameItems(profile.availableTools, traits.availableTools) &&
    sameItems(profile.degradedTools, traits.degradedTools)
  );
}

export function isEmpty({ seats }: ProfileIndex): boolean {
  return healthClasses.every((health) => seats[health].size === 0);
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
