import { type AgentManifest, AgentManifestSchema, RiskTier } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { Random } from "../chance/random.ts";
import { defaultFleetSettings, type FleetSettings, type Route, type RoutingPolicy } from "../kernel.ts";

/** The agents, and the policy that routes to them. */
export interface FleetScenario {
  readonly manifests: readonly AgentManifest[];
  readonly instances: readonly InstanceScenario[];
  readonly policy: RoutingPolicy;
  readonly settings: FleetSettings;
  readonly review: "rule" | "agent" | "person";
}

export interface InstanceScenario {
  readonly packId: string;
  readonly instanceId: string;
  readonly maxTasks: number;
  /** Attached over a stream of its own, or called by the hub. */
  readonly way: "attached" | "called";
}

const packs = ["dev", "qa", "generalist"] as const;

export function drawFleet(random: Random): FleetScenario {
  const breaker = {
    errorThreshold: random.int(1, 6),
    windowMs: 30_000,
    // A short pause makes more attempts happen while half open.
    halfOpenAfterMs: random.pick([1_000, 5_000, 20_000]),
  };
  return {
    manifests: packs.map(drawManifest),
    instances: packs.flatMap((packId) =>
      Array.from({ length: random.int(1, packId === "generalist" ? 1 : 2) }, (_, place) => ({
        packId,
        instanceId: `${packId}-${place + 1}`,
        maxTasks: random.int(1, 3),
        way: random.pick(["attached", "called"]),
      })),
    ),
    policy: drawRoutes(breaker, random),
    settings: { ...defaultFleetSettings, breaker, forgetAfterMs: 60_000, quarantineAfter: random.int(1, 3) },
    review: random.pick(["rule", "rule", "agent", "person"]),
  };
}

function drawManifest(packId: string): AgentManifest {
  return create(AgentManifestSchema, {
    packId,
    packVersion: "1.0.0",
    capabilitySchemaVersion: "1.0.0",
    safetyTier: RiskTier.CRITICAL,
    providedTools: ["npm"],
    interface: {
      supportedSchemaVersions: ["^1.0.0"],
      acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
    },
  });
}

function drawRoutes(
  circuitBreaker: RoutingPolicy["admission"]["circuitBreaker"],
  random: Random,
): RoutingPolicy {
  const fallbackPackId = random.pick(["generalist", null]);
  const route = (taskType: string, allowedPackIds: readonly string[]): Route => ({
    taskType,
    allowedPackIds,
    minRiskTier: RiskTier.LOW,
    fallbackPackId,
  });
  return {
    version: "1.0.0",
    routes: new Map([
      ["code", { ...route("code", ["dev"]), preferredPackId: "dev" }],
      ["review", route("review", ["qa", "dev"])],
      ["verify", route("verify", ["qa"])],
    ]),
    admission: {
      maxGlobalQueueDepth: random.pick([1, 3, 50]),
      maxPerPackConcurrent: random.pick([1, 3, 50]),
      circuitBreaker,
    },
    defaults: {
      fallbackPackId: null,
      maxCandidateAgents: random.int(1, 3),
      requireHealthy: random.chance(0.5),
    },
  };
}
