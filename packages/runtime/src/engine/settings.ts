import type { BackoffRules } from "@baton/contract";
import type {
  Constitution,
  Digest,
  EntropyOptions,
  FleetSettings,
  GuardrailPolicy,
  ReviewPolicy,
  RoutingPolicy,
  SpendLimits,
  World,
} from "@baton/kernel";
import type { EgressFilter } from "../redaction/egress-filter.ts";

/** The configuration of the engine. */
export interface EngineSettings {
  /** The policy in force, read for each decision. Without one, every pack may take the task types of its manifest. */
  readonly policy: () => RoutingPolicy | undefined;
  /** The guardrails in force, read for each decision. */
  readonly guardrails?: () => GuardrailPolicy | undefined;
  /** The constitution in force, read for each decision. */
  readonly constitution?: () => Constitution | undefined;
  /** What tenants may spend, read for each decision. Default: no limits. */
  readonly spendLimits?: () => SpendLimits | undefined;
  /** Who is sent events of runs of a tenant, read for each decision. */
  readonly notifications?: (tenantId: string) => World["notifications"];
  readonly fleet: FleetSettings;
  /** Packs whose failures trip no circuit breaker. Returns the same set until it changes. */
  readonly withoutBreaker?: () => ReadonlySet<string>;
  /** Applies where the routing policy has no review section. */
  readonly review: ReviewPolicy;
  readonly entropy: EntropyOptions;
  readonly orchestratorVersion: string;
  readonly schemaVersion: string;
  readonly filter: EgressFilter;
  readonly digest: Digest;
  readonly limits: EngineLimits;
}

export interface EngineLimits {
  /** Most inputs of a transaction. */
  readonly batch: number;
  /** Inputs that are decided before the loop checks the store again. */
  readonly stride: number;
  /** Inputs with which a transaction is committed while more wait for a decision. */
  readonly enough: number;
  /** Inputs with which a transaction is committed while another is in flight. */
  readonly ahead: number;
  /** Inputs that wait; beyond this, callers are asked to retry later. */
  readonly queue: number;
  /** Ended pipelines kept in memory for reads that follow at once. More of them reach the old generation, and cost time. */
  readonly endedKept: number;
  /** Interval at which leases are checked and `wakesPerTick` of the pipelines that wait for an agent are decided again. */
  readonly tickMs: number;
  readonly wakesPerTick: number;
  /** Delay before completed commands are stored in a transaction of their own. */
  readonly crossOffMs: number;
  /** Backoff of the retries during an outage of the store. */
  readonly retryStore: BackoffRules;
}

export const defaultEngineLimits: EngineLimits = {
  batch: 256,
  stride: 8,
  enough: 24,
  ahead: 12,
  queue: 20_000,
  endedKept: 64,
  tickMs: 1_000,
  wakesPerTick: 200,
  crossOffMs: 100,
  retryStore: { firstMs: 100, maxMs: 5_000 },
};
