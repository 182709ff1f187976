import { RiskTier } from "@baton/contract";
import type { Route, RoutingPolicy } from "../dispatch/routing-policy.ts";
import type { Problem } from "../problem.ts";
import { Reading } from "./reading.ts";

export type PolicyReading =
  | { readonly ok: true; readonly policy: RoutingPolicy }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** What holds when the file does not say it. */
export const routingDefaults = {
  maxGlobalQueueDepth: 50,
  maxPerPackConcurrent: 3,
  errorThreshold: 5,
  windowMs: 60_000,
  halfOpenAfterMs: 120_000,
  maxCandidateAgents: 3,
} as const;

/** Reads the content of `config/routing-policy.yaml` as A §3.1 shows it, and finds everything that is wrong with it. */
export function readRoutingPolicy(content: unknown): PolicyReading {
  const file = new Reading(content);
  const root = file.only(["routing_policy"]).at("routing_policy");
  if (typeof root.value !== "object" || root.value === null) {
    root.complain("must be there", "begin the file with routing_policy:");
    return { ok: false, problems: file.problems };
  }
  root.only(["version", "routes", "admission", "defaults"]);
  const admission = root
    .at("admission")
    .only(["max_global_queue_depth", "max_per_pack_concurrent", "circuit_breaker"]);
  const breaker = admission.at("circuit_breaker").only(["error_threshold", "window", "half_open_after"]);
  const defaults = root.at("defaults").only(["fallback_pack_id", "max_candidate_agents", "require_healthy"]);
  const policy: RoutingPolicy = {
    version: root.at("version").text(),
    routes: readRoutes(root.at("routes")),
    admission: {
      maxGlobalQueueDepth: admission
        .at("max_global_queue_depth")
        .whole(1, routingDefaults.maxGlobalQueueDepth),
      maxPerPackConcurrent: admission
        .at("max_per_pack_concurrent")
        .whole(1, routingDefaults.maxPerPackConcurrent),
      circuitBreaker: {
        errorThreshold: breaker.at("error_threshold").whole(1, routingDefaults.errorThreshold),
        windowMs: breaker.at("window").durationMs(routingDefaults.windowMs),
        halfOpenAfterMs: breaker.at("half_open_after").durationMs(routingDefaults.halfOpenAfterMs),
      },
    },
    defaults: {
      fallbackPackId: readFallback(defaults.at("fallback_pack_id")) ?? null,
      maxCandidateAgents: defaults.at("max_candidate_agents").whole(1, routingDefaults.maxCandidateAgents),
      requireHealthy: defaults.at("require_healthy").flag(true),
    },
  };
  return file.problems.length === 0 ? { ok: true, policy } : { ok: false, problems: file.problems };
}

const routeKeys = [
  "task_type",
  "allowed_pack_ids",
  "preferred_pack_id",
  "min_risk_tier",
  "fallback_pack_id",
] as const;

function readRoutes(given: Reading): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  if (given.list().length === 0)
    given.complain("must have at least one route", "add a task type and its packs");
  for (const entry of given.list()) {
    entry.only(routeKeys);
    const taskType = entry.at("task_type").text();
    if (routes.has(taskType))
      entry.at("task_type").complain(`"${taskType}" has a route already`, "leave one of them out");
    routes.set(taskType, readRoute(entry, taskType));
  }
  return routes;
}

function readRoute(entry: Reading, taskType: string): Route {
  const allowed = entry.at("allowed_pack_ids");
  const allowedPackIds = allowed.list().map((pack) => pack.text());
  if (allowedPackIds.length === 0) allowed.complain("must name at least one pack", 'write it as ["pack-id"]');
  const preferred = entry.at("preferred_pack_id");
  const preferredPackId = preferred.value === undefined ? undefined : preferred.text();
  if (preferredPackId !== undefined && !allowedPackIds.includes(preferredPackId)) {
    preferred.complain(
      `"${preferredPackId}" is not among the allowed packs`,
      `use one of: ${allowedPackIds.join(", ")}`,
    );
  }
  const fallbackPackId = readFallback(entry.at("fallback_pack_id"));
  return {
    taskType,
    allowedPackIds,
    minRiskTier: readTier(entry.at("min_risk_tier")),
    ...(preferredPackId !== undefined && { preferredPackId }),
    ...(fallbackPackId !== undefined && { fallbackPackId }),
  };
}

/** Null asks a person; not there takes the default. */
function readFallback(given: Reading): string | null | undefined {
  return given.value === undefined || given.value === null ? given.value : given.text();
}

const tiers: Readonly<Record<string, RiskTier>> = {
  RISK_TIER_LOW: RiskTier.LOW,
  RISK_TIER_NORMAL: RiskTier.NORMAL,
  RISK_TIER_CRITICAL: RiskTier.CRITICAL,
};

function readTier(given: Reading): RiskTier {
  if (given.value === undefined) return RiskTier.LOW;
  const tier = tiers[String(given.value)];
  if (tier === undefined)
    given.complain(
      `"${String(given.value)}" is not a risk tier`,
      `use one of: ${Object.keys(tiers).join(", ")}`,
    );
  return tier ?? RiskTier.LOW;
}
