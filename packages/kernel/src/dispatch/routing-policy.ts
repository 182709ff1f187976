import type { RiskTier } from "@baton/contract";

export type Reviewer = "rule" | "agent" | "person";

/** Who reviews the work of a tier (A §4.3 step 6). Critical work is always a person's. */
export interface ReviewPolicy {
  /** Default: the rule. */
  readonly low?: Reviewer;
  readonly normal: Reviewer;
  /** The type of task as which a review is dispatched to an agent. Without one, reviewers call the hub. */
  readonly taskType?: string;
}

/** Which packs may take which type of task: layer 3 of discovery, owned by people (A §3.1). */
export interface RoutingPolicy {
  readonly version: string;
  readonly routes: ReadonlyMap<string, Route>;
  readonly admission: AdmissionPolicy;
  readonly defaults: RoutingDefaults;
  /** Who reviews; absent where the policy does not say. */
  readonly review?: ReviewPolicy;
}

export interface Route {
  readonly taskType: string;
  readonly allowedPackIds: readonly string[];
  readonly preferredPackId?: string;
  /** The task is treated as at least this risky. */
  readonly minRiskTier: RiskTier;
  /** Absent takes the default; null asks a person. */
  readonly fallbackPackId?: string | null;
}

export interface AdmissionPolicy {
  readonly maxGlobalQueueDepth: number;
  readonly maxPerPackConcurrent: number;
  readonly circuitBreaker: {
    readonly errorThreshold: number;
    readonly windowMs: number;
    readonly halfOpenAfterMs: number;
  };
}

export interface RoutingDefaults {
  readonly fallbackPackId: string | null;
  readonly maxCandidateAgents: number;
  /** Whether a degraded instance is no candidate at all. */
  readonly requireHealthy: boolean;
}

/** The pack to try when no allowed one can take the task; undefined when a person is to be asked. */
export function fallbackOf(route: Route, { fallbackPackId }: RoutingDefaults): string | undefined {
  return (route.fallbackPackId === undefined ? fallbackPackId : route.fallbackPackId) ?? undefined;
}
