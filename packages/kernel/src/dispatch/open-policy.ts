import { type AgentManifest, RiskTier } from "@baton/contract";
import type { Route, RoutingPolicy } from "./routing-policy.ts";

/** Limits of a hub whose people have written no routing policy yet. */
const openAdmission: RoutingPolicy["admission"] = {
  maxGlobalQueueDepth: 10_000,
  maxPerPackConcurrent: 10_000,
  circuitBreaker: { errorThreshold: 5, windowMs: 60_000, halfOpenAfterMs: 120_000 },
};

/**
 * The policy of a hub without one: a task may go to every pack that says it does such tasks. It is for trying things out
 * and for one's own machine; who may take what is for people to say as soon as it matters (A §3.1 layer 3).
 */
export function openRoutingPolicy(manifests: Iterable<AgentManifest>): RoutingPolicy {
  const packs = new Map<string, Set<string>>();
  for (const { packId, supportedTaskTypes } of manifests) {
    for (const taskType of supportedTaskTypes)
      packs.set(taskType, (packs.get(taskType) ?? new Set()).add(packId));
  }
  const routes = [...packs].map(([taskType, packIds]): [string, Route] => [
    taskType,
    { taskType, allowedPackIds: [...packIds].sort(), minRiskTier: RiskTier.LOW, fallbackPackId: null },
  ]);
  return {
    version: "open",
    routes: new Map(routes),
    admission: openAdmission,
    defaults: { fallbackPackId: null, maxCandidateAgents: 3, requireHealthy: false },
  };
}
