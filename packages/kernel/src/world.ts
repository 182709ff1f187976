import type { ReviewPolicy, RoutingPolicy } from "./dispatch/routing-policy.ts";
import type { FleetView } from "./fleet/fleet-view.ts";
import type { Halt } from "./fleet/state/record.ts";
import type { EntropyOptions } from "./trust/entropy/entropy.ts";

/** What a decision may look at besides the state: it comes in as an argument, so that a decision can be repeated. */
export interface World {
  readonly nowMs: number;
  /** Spreads retries; the same seed gives the same decision. */
  readonly seed: number;
  readonly fleet: FleetView;
  readonly policy: RoutingPolicy;
  /** Tasks of the tenant that wait for an agent, over all its pipelines. */
  readonly queueDepth: number;
  readonly orchestratorVersion: string;
  readonly schemaVersion: string;
  readonly review: ReviewPolicy;
  readonly entropy: EntropyOptions;
  /** Set while the tenant is stopped: nothing is sent, and what runs pauses. */
  readonly halt?: Halt | undefined;
}
