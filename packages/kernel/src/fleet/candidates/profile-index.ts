import type { AgentManifest } from "@baton/contract";
import type { ReportedHealth } from "../health/vitals.ts";
import { CandidateHeap } from "./candidate-heap.ts";

/** The health for dispatch: as reported, unless the hub has quarantined the instance. */
export type HealthClass = ReportedHealth | "QUARANTINED";

export const healthClasses: readonly HealthClass[] = ["HEALTHY", "DEGRADED", "UNHEALTHY", "QUARANTINED"];

/** The inputs of the predicates of A §3.3; instances with equal traits are filtered together. */
export interface ProfileTraits {
  readonly packVersion: string;
  /** Sorted, each once. */
  readonly availableTools: readonly string[];
  /** Sorted, each once. */
  readonly degradedTools: readonly string[];
}

/** The live instances with equal traits, ordered within each health. */
export interface ProfileIndex extends ProfileTraits {
  readonly key: string;
  readonly manifest: AgentManifest;
  /** Provided and available tools, without degraded ones. */
  readonly tools: ReadonlySet<string>;
  readonly orders: Readonly<Record<HealthClass, CandidateHeap>>;
}

/** JSON, because names may hold any separator. */
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
    orders: {
      HEALTHY: new CandidateHeap(),
      DEGRADED: new CandidateHeap(),
      UNHEALTHY: new CandidateHeap(),
      QUARANTINED: new CandidateHeap(),
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

export function isEmpty({ orders: order }: ProfileIndex): boolean {
  return healthClasses.every((health) => order[health].size === 0);
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
