import { type AgentManifest, RiskTier } from "@baton/contract";
import type { Route, RoutingPolicy } from "./routing-policy.ts";

/** The policy version of a hub without a routing policy. */
export const openPolicyVersion = "open";

/** Limits of a hub without a routing policy. */
const openAdmission: RoutingPolicy["admission"] = {
  maxGlobalQueueDepth: 10_000,
  maxPerPackConcurrent: 10_000,
  circuitBreaker: { errorThreshold: 5, windowMs: 60_000, halfOpenAfterMs: 120_000 },
};

/**
 * The default policy: every pack may take the task types it supports. Meant for trying out; in production people decide who
 * may take what (A §3.1 layer 3).
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
    version: openPolicyVersion,
    routes: new Map(routes),
    admission: openAdmission,
    defaults: { fallbackPackId: null, maxCandidateAgents: 3, requireHealthy: false },
  };
}

/** Without a routing policy, advises to start an agent instead of writing a route. */
export function explainNoAgent(
  taskType: string,
  { routes }: RoutingPolicy,
): { reason: string; remedy: string } {
  const known = [...routes.keys()].sort();
  const meant = known.find((name) => isTypo(taskType, name));
  const named = known.slice(0, namedTypes).join(", ") || "none";
  const more = known.length > namedTypes ? ` and ${known.length - namedTypes} more` : "";
  const hint = meant === undefined ? "" : `did you mean "${meant}"? Else `;
  return {
    reason: `no agent that is known does "${taskType}"`,
    remedy: `${hint}start one that does (known types: ${named}${more}); the task goes on by itself then`,
  };
}

/** Task types in a message. */
const namedTypes = 20;

/** Whether two names differ in one place by at most two letters, and agree in most others. */
function isTypo(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = head + tail;
  return same * 2 > Math.max(a.length, b.length) && a.length - same <= 2 && b.length - same <= 2;
}
