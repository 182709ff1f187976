import { RiskTier } from "@baton/contract";
import type { Route, RoutingPolicy } from "../src/dispatch/routing-policy.ts";
import { defaultEntropyOptions } from "../src/trust/entropy/decline.ts";
import type { World } from "../src/world.ts";
import { testFleet } from "./fleet.ts";

export interface TestPolicyOptions {
  readonly routes?: Readonly<Record<string, Partial<Route>>>;
  readonly maxGlobalQueueDepth?: number;
  readonly maxPerPackConcurrent?: number;
  readonly fallbackPackId?: string | null;
  readonly maxCandidateAgents?: number;
  readonly requireHealthy?: boolean;
  readonly version?: string;
}

/** A routing policy in which "code", "review" and "verify" each have a pack of their own. */
export function testPolicy(options: TestPolicyOptions = {}): RoutingPolicy {
  const routes = options.routes ?? {
    code: { allowedPackIds: ["dev"] },
    review: { allowedPackIds: ["qa"] },
    verify: { allowedPackIds: ["qa"] },
  };
  return {
    version: options.version ?? "1.0.0",
    routes: new Map(
      Object.entries(routes).map(([taskType, route]) => [
        taskType,
        { taskType, allowedPackIds: [], minRiskTier: RiskTier.LOW, fallbackPackId: null, ...route },
      ]),
    ),
    admission: {
      maxGlobalQueueDepth: options.maxGlobalQueueDepth ?? 50,
      maxPerPackConcurrent: options.maxPerPackConcurrent ?? 100,
      circuitBreaker: { errorThreshold: 5, windowMs: 60_000, halfOpenAfterMs: 120_000 },
    },
    defaults: {
      fallbackPackId: options.fallbackPackId ?? null,
      maxCandidateAgents: options.maxCandidateAgents ?? 3,
      requireHealthy: options.requireHealthy ?? true,
    },
  };
}

export const startMs = Date.UTC(2026, 0, 1);

/** A world with one developer and one reviewer. */
export function testWorld(overrides: Partial<World> = {}): World {
  return {
    nowMs: startMs,
    seed: 1,
    fleet: testFleet([{ packId: "dev", availableTools: ["npm", "git"] }, { packId: "qa" }]),
    policy: testPolicy(),
    queueDepth: 0,
    orchestratorVersion: "0.1.0",
    schemaVersion: "1.0.0",
    review: { normal: "rule" },
    entropy: defaultEntropyOptions,
    ...overrides,
  };
}
