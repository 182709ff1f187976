import type { Digest, EntropyOptions, FleetSettings, ReviewPolicy, RoutingPolicy } from "@baton/kernel";
import type { Filter } from "../filter/filter.ts";

/** What the driver is told about how to run; none of it is a decision of its own. */
export interface DriverSettings {
  /** The one in force; it is asked for each decision. Without one, every pack may take the tasks it says it does. */
  readonly policy: () => RoutingPolicy | undefined;
  readonly fleet: FleetSettings;
  /** Packs whose failures trip no breaker; the same set until it changes. */
  readonly withoutBreaker?: () => ReadonlySet<string>;
  /** Where the routing policy does not say who reviews. */
  readonly review: ReviewPolicy;
  readonly entropy: EntropyOptions;
  readonly orchestratorVersion: string;
  readonly schemaVersion: string;
  readonly filter: Filter;
  readonly digest: Digest;
  readonly limits: DriverLimits;
}

export interface DriverLimits {
  /** Inputs that share a transaction. */
  readonly batch: number;
  /** Inputs that are decided before the loop looks whether the store is free. */
  readonly stride: number;
  /** Inputs with which a transaction is begun while more of them wait to be decided. */
  readonly enough: number;
  /** Inputs with which a transaction is handed over while another one is being stored. */
  readonly ahead: number;
  /** Inputs that wait; beyond, callers are told to come later. */
  readonly queue: number;
  /** Pipelines that have ended and are still in memory, for those who ask at once. More of them grow old there, and cost. */
  readonly endedKept: number;
  /** How often leases are looked at, and a share of those who wait for an agent looks again. */
  readonly tickMs: number;
  readonly wakesPerTick: number;
  /** How long it may take until a carried out command is crossed off, when nothing else is stored meanwhile. */
  readonly crossOffMs: number;
  /** How long to wait before the store is tried again, at first and at the most. */
  readonly retryStoreMs: { readonly first: number; readonly most: number };
}

export const defaultDriverLimits: DriverLimits = {
  batch: 256,
  stride: 8,
  enough: 24,
  ahead: 12,
  queue: 20_000,
  endedKept: 64,
  tickMs: 1_000,
  wakesPerTick: 200,
  crossOffMs: 100,
  retryStoreMs: { first: 100, most: 5_000 },
};
