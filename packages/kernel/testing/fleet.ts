import { type AgentManifest, AgentManifestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { BreakerScope, Candidate, FleetView } from "../src/fleet/fleet-view.ts";
import type { Init } from "./init.ts";

/** An instance as a test describes it; what is left out is ordinary. */
export interface TestInstance {
  readonly packId: string;
  readonly instanceId?: string;
  readonly health?: "HEALTHY" | "DEGRADED" | "UNHEALTHY" | "QUARANTINED";
  readonly activeTasks?: number;
  readonly maxTasks?: number;
  readonly avgLatencyMs?: number;
  readonly availableTools?: readonly string[];
  readonly degradedTools?: readonly string[];
  readonly manifest?: Init<typeof AgentManifestSchema>;
}

export interface TestFleetOptions {
  readonly openBreakers?: readonly string[];
  readonly active?: Readonly<Record<string, number>>;
}

/** A fleet written as plainly as possible: it scans and sorts. */
export function testFleet(instances: readonly TestInstance[], options: TestFleetOptions = {}): FleetView {
  const ofPack = (packId: string) => instances.filter((instance) => instance.packId === packId);
  return {
    packIds: () => [...new Set(instances.map(({ packId }) => packId))].sort(),
    knowsPack: (packId) => ofPack(packId).length > 0,
    activeOfPack: (packId) => options.active?.[packId] ?? 0,
    breaker: ({ kind, id }: BreakerScope) =>
      options.openBreakers?.includes(`${kind} ${id}`) ? "open" : "closed",
    profiles: (packId) =>
      ofPack(packId).map((instance) => {
        const manifest = manifestOf(instance);
        const tools = new Set([...manifest.providedTools, ...(instance.availableTools ?? [])]);
        for (const tool of instance.degradedTools ?? []) tools.delete(tool);
        const health = instance.health ?? "HEALTHY";
        const able = health === "HEALTHY" || health === "DEGRADED";
        const counts = { healthy: 0, degraded: 0, unhealthy: 0, quarantined: 0 };
        counts[health.toLowerCase() as keyof typeof counts] = 1;
        return { manifest, tools, counts, best: () => (able ? [candidateOf(instance, health)] : []) };
      }),
  };
}

function candidateOf(instance: TestInstance, health: "HEALTHY" | "DEGRADED"): Candidate {
  const { packId, instanceId = `${packId}-1`, activeTasks = 0, maxTasks = 4, avgLatencyMs = 100 } = instance;
  return { packId, packVersion: "1.0.0", instanceId, health, activeTasks, maxTasks, avgLatencyMs };
}

function manifestOf({ packId, manifest }: TestInstance): AgentManifest {
  return create(AgentManifestSchema, {
    packId,
    packVersion: "1.0.0",
    interface: {
      supportedSchemaVersions: ["^1.0.0"],
      acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
    },
    ...manifest,
  });
}
