import { RiskTier } from "@baton/contract";
import type { RouteQuestion } from "../src/dispatch/route.ts";
import type { RoutingPolicy } from "../src/dispatch/routing-policy.ts";
import { type TestPolicyOptions, testPolicy } from "./world.ts";

/** Who takes a task of type "code"? */
export const testQuestion: RouteQuestion = {
  taskType: "code",
  riskTier: RiskTier.NORMAL,
  requiredTools: [],
  schemaVersion: "1.0.0",
  orchestratorVersion: "1.2.0",
  queueDepth: 0,
  nowMs: 0,
};

/** "code" goes to "dev" or, rather, to "ops". Degraded instances may be taken unless a test says otherwise. */
export function codePolicy(options: TestPolicyOptions = {}): RoutingPolicy {
  const routes = { code: { allowedPackIds: ["dev", "ops"], preferredPackId: "ops" } };
  return testPolicy({ routes, requireHealthy: false, ...options });
}
