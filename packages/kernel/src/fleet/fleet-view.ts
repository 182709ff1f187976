import type { AgentManifest, DefinitionDigest } from "@baton/contract";

/** The fleet as pipeline decisions see it. */
export interface FleetView extends RoutingView {
  /** Invalid results of an instance since its last valid one, as far as they were reported to the fleet (A §3.2 step 7). */
  invalidResultsInARow(packId: string, instanceId: string): number;
  /** The key of an instance, which says on whose behalf it works; undefined when not known. */
  keyOf(packId: string, instanceId: string): string | undefined;
  /** Digests of the definition of an instance, as it reported them last. */
  definitionOf(packId: string, instanceId: string): readonly DefinitionDigest[];
}

/** The fleet as routing sees it: layers 1 and 2 of discovery, ready for filter and rank (A §3.2 step 3). */
export interface RoutingView {
  /** Profiles of the instances of a pack that are live at `nowMs`. */
  profiles(packId: string, nowMs: number): Iterable<Profile>;
  /** Whether the pack has a registered manifest. */
  knowsPack(packId: string): boolean;
  /** Why an instance of the pack is unhealthy, as it reports; empty when none does. For explanations. */
  unhealthyReason?(packId: string): string;
  /** The name of a quarantined instance of the pack; empty when there is none. For explanations. */
  quarantinedInstance?(packId: string): string;
  /** Active dispatches of the pack, for per-pack concurrency. */
  activeOfPack(packId: string): number;
  /** "half-open" only while a probe may be sent; "open" while one is in flight. */
  breaker(scope: BreakerScope, nowMs: number): "closed" | "open" | "half-open";
  /** Ids of all known packs, sorted. For explanations. */
  packIds(): readonly string[];
}

/** What a circuit breaker guards: a task type (A §3.2 step 1) or a pack (A §3.3). */
export type BreakerScope =
  | { readonly kind: "task-type"; readonly id: string }
  | { readonly kind: "pack"; readonly id: string };

/** Instances that are equal for every predicate of A §3.3, which is evaluated once for all of them. */
export interface Profile {
  readonly manifest: AgentManifest;
  /** manifest.provided_tools ∪ heartbeat.available_tools − heartbeat.degraded_tools */
  readonly tools: ReadonlySet<string>;
  /**
   * Best first: up to `n` HEALTHY instances, then up to `n` DEGRADED ones, because all healthy ones may be full. Never
   * UNHEALTHY or QUARANTINED.
   */
  best(n: number, nowMs: number): readonly Candidate[];
  /** Instances by health, for explanations. */
  readonly counts: {
    readonly healthy: number;
    readonly degraded: number;
    readonly unhealthy: number;
    readonly quarantined: number;
  };
}

export interface Candidate {
  readonly packId: string;
  readonly packVersion: string;
  readonly instanceId: string;
  readonly health: "HEALTHY" | "DEGRADED";
  readonly activeTasks: number;
  readonly maxTasks: number;
  readonly avgLatencyMs: number;
}
