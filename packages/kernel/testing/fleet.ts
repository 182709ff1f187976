import { type AgentManifest, AgentManifestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { BreakerScope, Candidate, FleetView, Profile } from "../src/fleet/fleet-view.ts";
import type { Init } from "./init.ts";

/** An instance in a test; omitted fields have defaults. */
export interface TestInstance {
  readonly packId: string;
  readonly instanceId?: string;
  readonly health?: "HEALTHY" | "DEGRADED" | "UNHEALTHY" | "QUARANTINED";
  readonly activeTasks?: number;
  readonly maxTasks?: number;
  readonly avgLatencyMs?: number;
  readonly availableTools?: readonly string[];
  readonly degradedTools?: readonly string[];
  readonly invalidResultsInARow?: number;
  /** Its API key. */
  readonly key?: string;
  readonly manifest?: Init<typeof AgentManifestSchema>;
}

export interface TestFleetOptions {
  readonly openBreakers?: readonly string[];
  readonly active?: Readonly<Record<string, number>>;
}

/** A simple fleet that scans and sorts. */
export function testFleet(instances: readonly TestInstance[], options: TestFleetOptions = {}): FleetView {
  const ofPack = (packId: string) => instances.filter((instance) => instance.packId === packId);
  return {
    packIds: () => [...new Set(instances.map(({ packId }) => packId))].sort(),
    knowsPack: (packId) => ofPack(packId).length > 0,
    activeOfPack: (packId) => options.active?.[packId] ?? 0,
    breaker: ({ kind, id }: BreakerScope) =>
      options.openBreakers?.includes(`${kind} ${id}`) ? "open" : "closed",
    profiles: (packId) =>
      Map.groupBy(ofPack(packId), traitsOf)
        .values()
        .flatMap((alike) => (alike[0] ? [profileOf(alike[0], alike)] : [])),
    quarantinedInstance: (packId) => {
      const one = ofPack(packId).find(({ health }) => health === "QUARANTINED");
      return one ? `${packId}/${idOf(one)}` : "";
    },
    definitionOf: () => [],
    keyOf: (packId, instanceId) => ofPack(packId).find((instance) => idOf(instance) === instanceId)?.key,
    invalidResultsInARow: (packId, instanceId) =>
      ofPack(packId).find((instance) => idOf(instance) === instanceId)?.invalidResultsInARow ?? 0,
  };
}

/** The traits for the filter: equal instances share a profile. */
function traitsOf({ manifest = {}, availableTools = [], degradedTools = [] }: TestInstance): string {
  return JSON.stringify([manifest, availableTools, degradedTools]);
}

function profileOf(first: TestInstance, alike: readonly TestInstance[]): Profile {
  const { availableTools = [], degradedTools = [] } = first;
  const manifest = manifestOf(first);
  const tools = new Set([...manifest.providedTools, ...availableTools]);
  for (const tool of degradedTools) tools.delete(tool);
  const of = (health: TestInstance["health"]) =>
    alike.filter((instance) => (instance.health ?? "HEALTHY") === health);
  const best = (health: Candidate["health"], n: number) =>
    of(health)
      .map((instance) => candidateOf(instance, health))
      .sort(byLoad)
      .slice(0, n);
  return {
    manifest,
    tools,
    counts: {
      healthy: of("HEALTHY").length,
      degraded: of("DEGRADED").length,
      unhealthy: of("UNHEALTHY").length,
      quarantined: of("QUARANTINED").length,
    },
    best: (n) => [...best("HEALTHY", n), ...best("DEGRADED", n)],
  };
}

function byLoad(a: Candidate, b: Candidate): number {
  return (
    a.activeTasks * b.maxTasks - b.activeTasks * a.maxTasks ||
    a.avgLatencyMs - b.avgLatencyMs ||
    (a.instanceId < b.instanceId ? -1 : 1)
  );
}

function candidateOf(instance: TestInstance, health: Candidate["health"]): Candidate {
  const { packId, activeTasks = 0, maxTasks = 4, avgLatencyMs = 100 } = instance;
  const instanceId = idOf(instance);
  return { packId, packVersion: "1.0.0", instanceId, health, activeTasks, maxTasks, avgLatencyMs };
}

function idOf({ packId, instanceId = `${packId}-1` }: TestInstance): string {
  return instanceId;
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
