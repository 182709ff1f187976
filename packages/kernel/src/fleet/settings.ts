import type { BreakerSettings } from "./breaker.ts";

/** What an operator can set about the fleet. */
export interface FleetSettings {
  /** The vocabulary of capabilities that this hub speaks; packs must be of the same major version (DIS-02). */
  readonly capabilitySchemaVersion: string;
  /** How long a heartbeat holds: what an agent asks for is brought within these bounds. */
  readonly leaseTtlMs: { readonly default: number; readonly min: number; readonly max: number };
  /** Invalid results in a row that shut an instance out (A §3.2 step 7). */
  readonly quarantineAfter: number;
  /** How long an instance that is gone is remembered, so that its count of invalid results goes on if it returns. */
  readonly forgetAfterMs: number;
  /** From `admission.circuit_breaker` of the routing policy (A §3.1). */
  readonly breaker: BreakerSettings;
  /** Packs whose failures trip no breaker (A §3.4: none for the commands of a dev hub). */
  readonly withoutBreaker?: ReadonlySet<string>;
  readonly limits: FleetLimits;
}

/** What is refused beyond, so that no agent can fill the hub's memory or slow its decisions. */
export interface FleetLimits {
  readonly packs: number;
  readonly versionsPerPack: number;
  readonly manifestBytes: number;
  /** Live, quarantined, or gone and still remembered. */
  readonly instances: number;
  /** Available and degraded ones of a heartbeat together; provided ones of a manifest. */
  readonly toolsPerInstance: number;
  /** Different sets of tools among the live instances of a pack: dispatch looks at each. */
  readonly profilesPerPack: number;
  readonly dispatches: number;
  /** Characters of an id or of the name of a tool. */
  readonly nameLength: number;
  /** Characters that are kept of an error. */
  readonly errorLength: number;
}

export const defaultFleetSettings: FleetSettings = {
  capabilitySchemaVersion: "1.0.0",
  leaseTtlMs: { default: 30_000, min: 1_000, max: 600_000 },
  quarantineAfter: 3,
  forgetAfterMs: 3_600_000,
  breaker: { errorThreshold: 5, windowMs: 60_000, halfOpenAfterMs: 120_000 },
  limits: {
    packs: 1_000,
    versionsPerPack: 1_000,
    manifestBytes: 262_144,
    instances: 200_000,
    toolsPerInstance: 256,
    profilesPerPack: 1_024,
    dispatches: 200_000,
    nameLength: 256,
    errorLength: 1_024,
  },
};
