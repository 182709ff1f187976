import type { BreakerSettings } from "./health/breaker.ts";

/** Fleet settings of an operator. */
export interface FleetSettings {
  /** The capability schema of this hub; packs must have the same major version (DIS-02). */
  readonly capabilitySchemaVersion: string;
  /** The lease of a heartbeat; a requested lease is clamped to these bounds. */
  readonly leaseTtlMs: { readonly default: number; readonly min: number; readonly max: number };
  /** Invalid results in a row that quarantine an instance (A §3.2 step 7). */
  readonly quarantineAfter: number;
  /** How long a gone instance is remembered, so that it continues its count of invalid results when it returns. */
  readonly forgetAfterMs: number;
  /** From `admission.circuit_breaker` of the routing policy (A §3.1). */
  readonly breaker: BreakerSettings;
  /** Packs whose failures trip no breaker (A §3.4: none for the commands of a dev hub). */
  readonly withoutBreaker?: ReadonlySet<string>;
  readonly limits: FleetLimits;
}

/** Inputs beyond a limit are refused, so that no agent can fill the hub's memory or slow its decisions. */
export interface FleetLimits {
  readonly packs: number;
  readonly versionsPerPack: number;
  readonly manifestBytes: number;
  /** Including gone instances that are still remembered. */
  readonly instances: number;
  /** Available and degraded tools of a heartbeat together; provided tools of a manifest. */
  readonly toolsPerInstance: number;
  /** Distinct sets of tools among the live instances of a pack; dispatch visits each. */
  readonly profilesPerPack: number;
  readonly dispatches: number;
  /** Tools from elsewhere whose definition is remembered. */
  readonly pinnedTools: number;
  /** Characters of an id or of the name of a tool. */
  readonly nameLength: number;
  /** Stored characters of an error. */
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
    pinnedTools: 10_000,
    nameLength: 256,
    errorLength: 1_024,
  },
};
