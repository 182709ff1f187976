import type { AgentManifest } from "@baton/contract";

/** What a pipeline's decisions see of the fleet. */
export interface FleetView extends RoutingView {
  /** Invalid results of an instance since its last valid one, as far as the fleet has been told (A §3.2 step 7). */
  invalidResultsInARow(packId: string, instanceId: string): number;
  /** The key that an instance came in with, where that is known: on whose behalf it works. */
  keyOf(packId: string, instanceId: string): string | undefined;
}

/** What routing sees of the fleet: layers 1 and 2 of discovery, ready to be filtered and ranked (A §3.2 step 3). */
export interface RoutingView {
  /** Profiles of live instances of a pack, at `nowMs`; leases that ran out are not in them. */
  profiles(packId: string, nowMs: number): Iterable<Profile>;
  /** Whether any manifest of the pack is known. */
  knowsPack(packId: string): boolean;
  /** Why an instance of the pack is not well, as somebody has told it; empty when nobody has. For explanations. */
  complaint?(packId: string): string;
  /** An instance of the pack that is shut out, by its name; empty when there is none. For explanations. */
  shutOut?(packId: string): string;
  /** Dispatches of the pack under way, for per-pack concurrency. */
  activeOfPack(packId: string): number;
  /** "half-open" only while a probe may be sent; while one is under way, "open". */
  breaker(scope: BreakerScope, nowMs: number): "closed" | "open" | "half-open";
  /** Ids of all known packs, sorted (for explanations). */
  packIds(): readonly string[];
}

/** What a circuit breaker stands before: a type of task (A §3.2 step 1) or a pack (A §3.3). */
export type BreakerScope =
  | { readonly kind: "task-type"; readonly id: string }
  | { readonly kind: "pack"; readonly id: string };

/** Instances that no predicate of A §3.3 can tell apart: it is asked once for all of them. */
export interface Profile {
  readonly manifest: AgentManifest;
  /** manifest.provided_tools ∪ heartbeat.available_tools − heartbeat.degraded_tools */
  readonly tools: ReadonlySet<string>;
  /**
   * Best first: up to `n` that are HEALTHY, then up to `n` that are DEGRADED; never UNHEALTHY or QUARANTINED. Both, since
   * all the healthy ones may be full.
   */
  best(n: number, nowMs: number): readonly Candidate[];
  /** How many instances are in which health, for explanations. */
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
