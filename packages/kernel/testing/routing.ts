import { RiskTier } from "@baton/contract";
import type { RouteQuestion } from "../src/dispatch/route.ts";
import type { RoutingPolicy } from "../src/dispatch/routing-policy.ts";
import { type TestPolicyOptions, testPolicy } from "./world.ts";

/** Routes a task of type "code". */
export const testQuestion: RouteQuestion = {
  taskType: "code",
  riskTier: RiskTier.NORMAL,
  requiredTools: [],
  schemaVersion: "1.0.0",
  orchestratorVersion: "1.2.0",
  queueDepth: 0,
  nowMs: 0,
};

/** "code" goes to "dev" or preferably to "ops". Degraded instances are allowed by default. */
export function codePolicy(options: TestPolicyOptions = {}): RoutingPolicy {
  const routes = { code: { allowedPackIds: ["dev", "ops"], preferredPackId: "ops" } };
  return testPolicy({ routes, requireHealthy: false, ...options });
}
