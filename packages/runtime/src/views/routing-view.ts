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

/** A routing policy as the contract shows it. */
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
    maxGlobalQueueDepth: whole(admission.maxGlobalQueueDepth),
    maxPerPackConcurrent: whole(admission.maxPerPackConcurrent),
    breakerErrorThreshold: whole(circuitBreaker.errorThreshold),
    breakerWindow: durationFromMs(circuitBreaker.windowMs),
    breakerHalfOpenAfter: durationFromMs(circuitBreaker.halfOpenAfterMs),
    fallbackPackId: defaults.fallbackPackId ?? "",
    maxCandidateAgents: whole(defaults.maxCandidateAgents),
    requireHealthy: defaults.requireHealthy,
  });
}

/** What has no limit is shown as the largest number that there is. */
function whole(value: number): number {
  return Math.min(value, 2 ** 31 - 1);
}

function routeView(route: Route, usualFallback: string | null): MessageInitShape<typeof RouteViewSchema> {
  const {
    taskType,
    allowedPackIds,
    preferredPackId = "",
    minRiskTier,
    fallbackPackId = usualFallback,
  } = route;
  return {
    taskType,
    allowedPackIds: [...allowedPackIds],
    preferredPackId,
    minRiskTier,
    fallbackPackId: fallbackPackId ?? "",
  };
}

/** The policy with another route in the place of the one for its type of task. */
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
