import {
  Priority,
  RefType,
  RiskTier,
  schemaVersion,
  type TaskEnvelope,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";

/** An envelope as a coding task makes it: about 2 kB on the wire. */
export function typicalEnvelope(): TaskEnvelope {
  return create(TaskEnvelopeSchema, {
    protocolVersion: { schemaVersion, policyVersion: "1.0.0", packVersion: "2.3.1" },
    contract: {
      taskId: "task-4711",
      title: "Reject orders whose currency the warehouse cannot settle",
      ownerDomain: "services/orders",
      acceptanceCriteria: [
        "POST /orders answers 422 with the field path when the currency is not settled by the warehouse",
        "the list of settled currencies is read from the settlement table, not from the code",
        "an order in a settled currency is accepted as before",
      ],
      nonGoals: ["converting between currencies", "changing the settlement table"],
      expectedFiles: {
        create: [
          "services/orders/src/settled-currencies.ts",
          "services/orders/src/settled-currencies.test.ts",
        ],
        modify: ["services/orders/src/create-order.ts"],
      },
      tests: { testsToRun: ["services/orders"] },
      io: {
        dependencies: ["git"],
        expectedInterfaces: ["settledCurrencies(warehouseId): Promise<Set<Currency>>"],
      },
      environment: {
        lintCommand: "npx biome check services/orders",
        typecheckCommand: "npx tsc -p services/orders",
        testCommand: "npx vitest run services/orders",
        buildCommand: "npm run build -w services/orders",
      },
      requiredTools: ["git", "node", "npx", "npm"],
      definitionOfDone: [
        "the change log has an entry",
        "no test was removed",
        "the runbook names the new answer and how to take it back",
        "the settlement table is read at most once per request",
      ],
    },
    trace: {
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "00f067aa0ba902b7",
      parentSpanId: "b7ad6b7169203331",
      tenantId: "acme",
      agentId: "senior-ts-dev-7",
    },
    safety: {
      authScopes: ["repo:orders:write"],
      prohibitedActions: ["git push", "npm publish"],
      toolAllowlist: ["git", "npx", "npm", "node"],
      maxAutonomousSteps: 80,
      securityFlags: { touchesBilling: true },
    },
    refs: [
      {
        uriOrLocator: "services/orders/src/create-order.ts",
        versionOrSha: "9fceb02d0ae598e95dc970b74767f19372d61af8",
        digest: "sha256:8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4",
        fetchedAt: timestampFromMs(1_767_225_600_000),
        refType: RefType.FILE,
      },
      {
        uriOrLocator: "https://wiki.acme.example/settlement",
        digest: "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        fetchedAt: timestampFromMs(1_767_225_590_000),
        refType: RefType.URL,
      },
    ],
    execution: {
      idempotencyKey: "orders-4711",
      dispatchId: "0197d3a2-7c1f-7d2a-b1a5-5f3e9d1c2b4a",
      attemptNumber: 1,
      deadline: timestampFromMs(4_102_444_800_000),
      timeout: durationFromMs(900_000),
      priority: Priority.NORMAL,
      riskTier: RiskTier.NORMAL,
      patchSizeLimit: 400,
    },
    contextIn: {
      unresolvedAssumptions: [
        "the settlement table has a row for every warehouse",
        "orders carry an ISO 4217 code",
      ],
      decisionMemo: {
        decisions: [
          {
            decisionId: "d-1",
            description: "Currencies are settled per warehouse",
            rationale: "Two warehouses share a bank",
            sourceTask: "task-4702",
          },
        ],
      },
      criticalSnippets: [
        {
          path: "services/orders/src/create-order.ts",
          startLine: 41,
          endLine: 49,
          content:
            "export async function createOrder(request: OrderRequest): Promise<Order> {\n  const warehouse = await nearestWarehouse(request.address);\n  return store.insert({ ...request, warehouse });\n}\n",
          description: "where the check belongs",
        },
      ],
    },
    routing: {
      selectedPackId: "senior-ts-dev",
      candidatePackIds: ["senior-ts-dev", "generalist-dev"],
      routingPolicyVersion: "1.0.0",
      taskType: "feature-implementation",
    },
  });
}
