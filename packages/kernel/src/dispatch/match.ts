import type { Route, RoutingPolicy } from "./routing-policy.ts";

/** Step 2: the route for a type of task; undefined asks a person (A §3.2). */
export function matchRoute(taskType: string, policy: RoutingPolicy): Route | undefined {
  return policy.routes.get(taskType);
}
