import type { RiskTier } from "@baton/contract";

export type Reviewer = "rule" | "agent" | "person";

/** The reviewers by tier (A §4.3 step 6). Critical work is always reviewed by a person. */
export interface ReviewPolicy {
  /** Default: the rule. */
  readonly low?: Reviewer;
  readonly normal: Reviewer;
  /** The task type of reviews by an agent. Without one, reviewers call the hub. */
  readonly taskType?: string;
}

/** Which packs may take which task types: layer 3 of discovery, owned by people (A §3.1). */
export interface RoutingPolicy {
  readonly version: string;
  readonly routes: ReadonlyMap<string, Route>;
  readonly admission: AdmissionPolicy;
  readonly defaults: RoutingDefaults;
  /** Reviewers; absent when the policy states none. */
  readonly review?: ReviewPolicy;
}

export interface Route {
  readonly taskType: string;
  readonly allowedPackIds: readonly string[];
  readonly preferredPackId?: string;
  /** The minimum risk of its tasks. */
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
  /** Whether degraded instances are excluded. */
  readonly requireHealthy: boolean;
}

/** The pack to try when no allowed one can take the task; undefined asks a person. */
export function fallbackOf(route: Route, { fallbackPackId }: RoutingDefaults): string | undefined {
  return (route.fallbackPackId === undefined ? fallbackPackId : route.fallbackPackId) ?? undefined;
}
