import {
  type RouteView,
  type RouteViewSchema,
  type RoutingDifference,
  RoutingDifferenceSchema,
  type RoutingPolicyView,
  RoutingPolicyViewSchema,
} from "@baton/contract";
import type { Difference, Route, RoutingPolicy } from "@baton/kernel";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";

/** The contract's view of a routing policy. */
export function routingPolicyView({
  version,
  routes,
  admission,
  defaults,
}: RoutingPolicy): RoutingPolicyView {
  const { circuitBreaker } = admission;
  return create(RoutingPolicyViewSchema, {
    version,
    routes: [...routes.values()].map((route) => routeView(route, defaults.fallbackPackId)),
    maxGlobalQueueDepth: toInt32(admission.maxGlobalQueueDepth),
    maxPerPackConcurrent: toInt32(admission.maxPerPackConcurrent),
    breakerErrorThreshold: toInt32(circuitBreaker.errorThreshold),
    breakerWindow: durationFromMs(circuitBreaker.windowMs),
    breakerHalfOpenAfter: durationFromMs(circuitBreaker.halfOpenAfterMs),
    fallbackPackId: defaults.fallbackPackId ?? "",
    maxCandidateAgents: toInt32(defaults.maxCandidateAgents),
    requireHealthy: defaults.requireHealthy,
  });
}

/** Unlimited values become the maximum int32. */
function toInt32(value: number): number {
  return Math.min(value, 2 ** 31 - 1);
}

function routeView(route: Route, defaultFallback: string | null): MessageInitShape<typeof RouteViewSchema> {
  const {
    taskType,
    allowedPackIds,
    preferredPackId = "",
    minRiskTier,
    fallbackPackId = defaultFallback,
  } = route;
  return {
    taskType,
    allowedPackIds: [...allowedPackIds],
    preferredPackId,
    minRiskTier,
    fallbackPackId: fallbackPackId ?? "",
  };
}

/** Replaces the route of a task type. */
export function withRoute(policy: RoutingPolicy, given: RouteView): RoutingPolicy {
  const { taskType, allowedPackIds, preferredPackId, minRiskTier, fallbackPackId } = given;
  const route: Route = {
    taskType,
    allowedPackIds,
    minRiskTier,
    fallbackPackId: fallbackPackId || null,
    ...(preferredPackId !== "" && { preferredPackId }),
  };
  return { ...policy, routes: new Map(policy.routes).set(taskType, route) };
}

export function differenceView({ dispatchId, taskType, was, wouldBe }: Difference): RoutingDifference {
  return create(RoutingDifferenceSchema, {
    dispatchId,
    taskType,
    wasPackId: was.packId,
    wasInstanceId: was.instanceId,
    ...("refused" in wouldBe
      ? { refused: wouldBe.refused }
      : { wouldBePackId: wouldBe.packId, wouldBeInstanceId: wouldBe.instanceId }),
  });
}
