import { RiskTier } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TestInstance, testFleet } from "../../testing/fleet.ts";
import { testPolicy } from "../../testing/world.ts";
import { explainRoute } from "./explain.ts";
import { factsOf, fleetFromFacts } from "./fleet-facts.ts";
import { type RouteQuestion, route } from "./route.ts";
import type { RoutingPolicy } from "./routing-policy.ts";
import { whatIf } from "./what-if.ts";

const question: RouteQuestion = {
  taskType: "code",
  riskTier: RiskTier.NORMAL,
  requiredTools: [],
  schemaVersion: "1.0.0",
  orchestratorVersion: "1.2.0",
  queueDepth: 0,
  nowMs: 0,
};
const policy = testPolicy({ routes: { code: { allowedPackIds: ["dev", "ops"], preferredPackId: "ops" } } });

function chosen(
  instances: readonly TestInstance[],
  asked: Partial<RouteQuestion> = {},
  under = policy,
): string {
  const answer = route({ ...question, ...asked }, under, testFleet(instances));
  return answer.kind === "routed" ? answer.choice.instanceId : `nobody: ${answer.refusal.reason}`;
}

const nobody = 'nobody: no agent can take "code"';

describe("the filter", () => {
  it("[DIS-07] takes only packs that the route allows", () => {
    expect(chosen([{ packId: "qa" }])).toBe(nobody);
    expect(chosen([{ packId: "qa" }, { packId: "dev" }])).toBe("dev-1");
  });

  it.each([
    ["^1.0.0", "dev-1"],
    ["1.x", "dev-1"],
    ["1.0.0", "dev-1"],
    [">=1.0.0 <2.0.0", "dev-1"],
    ["=1.0.1", nobody],
    ["^2.0.0", nobody],
    ["nonsense", nobody],
  ])("[DIS-07] wants a schema version the agent speaks: %s", (range, expected) => {
    const spoken = { interface: { supportedSchemaVersions: [range], acceptedRiskTiers: ["NORMAL"] } };
    expect(chosen([{ packId: "dev", manifest: spoken }])).toBe(expected);
  });

  it.each([
    ["1.2.0", "dev-1"],
    ["1.3.0", nobody],
    ["1.2.0-rc.1", "dev-1"],
  ])("[DIS-07] wants an orchestrator that is new enough: %s", (minOrchestratorVersion, expected) => {
    expect(chosen([{ packId: "dev", manifest: { minOrchestratorVersion } }])).toBe(expected);
  });

  it("[DIS-07] wants the risk tier among the accepted ones, raised to the route's", () => {
    const careful = {
      interface: { supportedSchemaVersions: ["1.x"], acceptedRiskTiers: ["RISK_TIER_LOW", "normal"] },
    };
    expect(chosen([{ packId: "dev", manifest: careful }])).toBe("dev-1");
    expect(chosen([{ packId: "dev", manifest: careful }], { riskTier: RiskTier.CRITICAL })).toBe(nobody);
    const strict = testPolicy({
      routes: { code: { allowedPackIds: ["dev"], minRiskTier: RiskTier.CRITICAL } },
    });
    expect(chosen([{ packId: "dev", manifest: careful }], { riskTier: RiskTier.LOW }, strict)).toBe(nobody);
  });

  it("[DIS-07] wants every tool: provided or available, and not degraded", () => {
    const asked = { requiredTools: ["git", "node"] };
    const manifest = { providedTools: ["git"] };
    expect(chosen([{ packId: "dev", manifest }], asked)).toBe(nobody);
    expect(chosen([{ packId: "dev", manifest, availableTools: ["node"] }], asked)).toBe("dev-1");
    expect(
      chosen([{ packId: "dev", manifest, availableTools: ["node"], degradedTools: ["git"] }], asked),
    ).toBe(nobody);
  });

  it("[DIS-07] leaves out unhealthy and quarantined instances", () => {
    expect(chosen([{ packId: "dev", health: "UNHEALTHY" }])).toBe(nobody);
    expect(chosen([{ packId: "dev", health: "QUARANTINED" }])).toBe(nobody);
    expect(chosen([{ packId: "dev", health: "DEGRADED" }])).toBe("dev-1");
  });

  it("[DIS-05] leaves out a pack that does as much as is allowed, and waits for it", () => {
    const fleet = testFleet([{ packId: "dev" }], { active: { dev: 3 } });
    const answer = route(
      question,
      testPolicy({ routes: { code: { allowedPackIds: ["dev"] } }, maxPerPackConcurrent: 3 }),
      fleet,
    );
    expect(answer).toMatchObject({ kind: "refused", refusal: { busy: true } });
  });

  it("[DIS-05] leaves out a pack whose breaker is open", () => {
    const fleet = testFleet([{ packId: "dev" }], { openBreakers: ["pack dev"] });
    expect(route(question, policy, fleet)).toMatchObject({ kind: "refused", refusal: { busy: false } });
  });
});

describe("the rank", () => {
  const two = (a: Partial<TestInstance>, b: Partial<TestInstance>) =>
    chosen([
      { packId: "dev", instanceId: "a", ...a },
      { packId: "dev", instanceId: "b", ...b },
    ]);

  it("[DIS-07] puts a healthy instance before a degraded one, however busy", () => {
    expect(two({ health: "DEGRADED" }, { activeTasks: 3, avgLatencyMs: 9000 })).toBe("b");
  });

  it("[DIS-07] then the least busy, compared exactly", () => {
    expect(two({ activeTasks: 1, maxTasks: 3, avgLatencyMs: 1 }, { activeTasks: 1, maxTasks: 4 })).toBe("b");
    expect(
      two({ activeTasks: 1, maxTasks: 3, avgLatencyMs: 2 }, { activeTasks: 2, maxTasks: 6, avgLatencyMs: 1 }),
    ).toBe("b");
  });

  it("[DIS-07] then the fastest, then the preferred pack", () => {
    expect(two({ avgLatencyMs: 20 }, { avgLatencyMs: 10 })).toBe("b");
    expect(chosen([{ packId: "dev" }, { packId: "ops" }])).toBe("ops-1");
    expect(chosen([{ packId: "dev", avgLatencyMs: 1 }, { packId: "ops" }])).toBe("dev-1");
  });

  it("[DIS-07] records at most max_candidate_agents, the chosen one among them", () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ packId: "dev", instanceId: `dev-${index}` }));
    const answer = route(
      question,
      testPolicy({ routes: { code: { allowedPackIds: ["dev"] } }, maxCandidateAgents: 2 }),
      testFleet(many),
    );
    expect(
      answer.kind === "routed" && answer.choice.verdicts.map(({ instanceId, rank }) => [instanceId, rank]),
    ).toEqual([
      ["dev-0", 1],
      ["dev-1", 2],
    ]);
  });

  it("passes over an instance that is full", () => {
    expect(two({ activeTasks: 4 }, { health: "DEGRADED" })).toBe("b");
  });

  it("[DIS-07] agrees with a plainly written reference", () => {
    const instance = fc.record({
      packId: fc.constantFrom("dev", "ops", "qa"),
      health: fc.constantFrom("HEALTHY", "DEGRADED", "UNHEALTHY", "QUARANTINED"),
      activeTasks: fc.nat(4),
      maxTasks: fc.integer({ min: 1, max: 4 }),
      avgLatencyMs: fc.nat(3),
      tools: fc.subarray(["git", "node"]),
      tiers: fc.subarray(["LOW", "NORMAL", "CRITICAL"]),
    } as const);
    fc.assert(
      fc.property(
        fc.array(instance, { maxLength: 12 }),
        fc.subarray(["git", "node"]),
        (given, requiredTools) => {
          const instances = given.map((one, place) => ({
            ...one,
            instanceId: `i${String(place).padStart(2, "0")}`,
            availableTools: one.tools,
            manifest: { interface: { supportedSchemaVersions: ["1.x"], acceptedRiskTiers: one.tiers } },
          }));
          expect(chosen(instances, { requiredTools }, unlimited).split(":")[0]).toBe(
            reference(instances, requiredTools),
          );
        },
      ),
      { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 500) },
    );
  });

  const unlimited: RoutingPolicy = testPolicy({
    routes: { code: { allowedPackIds: ["dev", "ops"], preferredPackId: "ops" } },
    maxCandidateAgents: 100,
  });

  /** A §3.2 step 3 and §3.3, word for word. */
  function reference(
    instances: readonly (TestInstance & { instanceId: string; tools: string[]; tiers: string[] })[],
    requiredTools: readonly string[],
  ): string {
    const able = instances
      .filter(({ packId }) => ["dev", "ops"].includes(packId))
      .filter(({ tiers }) => tiers.includes("NORMAL"))
      .filter(({ tools }) => requiredTools.every((tool) => tools.includes(tool)))
      .filter(({ health }) => health !== "UNHEALTHY" && health !== "QUARANTINED")
      .filter(({ activeTasks = 0, maxTasks = 1 }) => activeTasks < maxTasks);
    const key = (one: TestInstance) =>
      [
        one.health === "HEALTHY" ? 0 : 1,
        ((one.activeTasks ?? 0) / (one.maxTasks ?? 1)).toFixed(6),
        one.avgLatencyMs,
        one.packId === "ops" ? 0 : 1,
        one.packId,
        one.instanceId,
      ].join("|");
    return able.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))[0]?.instanceId ?? "nobody";
  }
});

describe("the explanation", () => {
  it("[DIS-09] names each candidate, why, and what would have to change", () => {
    const instances: TestInstance[] = [
      { packId: "dev" },
      { packId: "dev", instanceId: "dev-2", activeTasks: 4 },
      { packId: "ops", health: "QUARANTINED" },
    ];
    const answer = route(question, policy, testFleet(instances));
    expect(answer.kind === "routed" && explainRoute("code", answer.choice)).toBe(
      [
        '"code" went to dev-1 of pack "dev"',
        "  routing policy 1.0.0",
        "  1. dev-1 (dev): taken: healthy, 0 of 4 tasks, 100 ms on average",
        "  2. dev-2 (dev): at capacity: healthy, 4 of 4 tasks, 100 ms on average; to be taken: wait until one of its tasks ends",
        '  - pack "ops": 0 unhealthy and 1 quarantined instances, and no other; to be taken: restore an instance after mending it',
      ].join("\n"),
    );
  });

  it("[DIS-09] tells everything that would have to change", () => {
    const manifest = {
      minOrchestratorVersion: "9.0.0",
      interface: { supportedSchemaVersions: ["2.x"], acceptedRiskTiers: ["LOW"] },
    };
    const answer = route(
      { ...question, requiredTools: ["cargo"] },
      policy,
      testFleet([{ packId: "dev", manifest }]),
    );
    const verdict = answer.kind === "refused" ? answer.refusal.verdicts[0] : undefined;
    expect(verdict?.reason.split(", and ")).toEqual([
      "it speaks 2.x",
      "the task is written in 1.0.0",
      "it needs orchestrator 9.0.0 or newer",
      "this is 1.2.0",
      "it accepts LOW",
      "the task is NORMAL",
      "it lacks cargo",
    ]);
    expect(verdict?.remedy.split(", and ")).toHaveLength(4);
  });

  it("[DIS-09] says what would help when nobody can take it", () => {
    const answer = route({ ...question, requiredTools: ["cargo"] }, policy, testFleet([{ packId: "dev" }]));
    expect(answer.kind === "refused" && explainRoute("code", answer.refusal)).toBe(
      [
        '"code" went nowhere: no agent can take "code"',
        "  routing policy 1.0.0",
        '  - pack "dev": it lacks cargo; to be taken: provide cargo, or mend it where it is degraded',
        '  - pack "ops": no agent of pack "ops" is known; to be taken: start an agent of pack "ops"',
        "  what would help: provide cargo, or mend it where it is degraded",
      ].join("\n"),
    );
  });
});

describe("what-if", () => {
  it("[DIS-09] lists the dispatches that would have gone elsewhere under another policy", () => {
    const fleet = testFleet([{ packId: "dev" }, { packId: "ops" }]);
    const facts = factsOf(fleet, "code", ["dev", "ops"], 3, 0);
    const past = ["d1", "d2"].map((dispatchId) => ({
      dispatchId,
      question,
      facts,
      packId: "ops",
      instanceId: "ops-1",
    }));
    expect(whatIf(past, policy)).toEqual([]);
    const other = testPolicy({ routes: { code: { allowedPackIds: ["dev"] } } });
    expect(whatIf(past, other)).toEqual([
      {
        dispatchId: "d1",
        taskType: "code",
        was: { packId: "ops", instanceId: "ops-1" },
        wouldBe: { packId: "dev", instanceId: "dev-1" },
      },
      {
        dispatchId: "d2",
        taskType: "code",
        was: { packId: "ops", instanceId: "ops-1" },
        wouldBe: { packId: "dev", instanceId: "dev-1" },
      },
    ]);
    const none = testPolicy({ routes: {} });
    expect(whatIf(past.slice(0, 1), none)[0]?.wouldBe).toEqual({
      refused: 'the routing policy has no route for task type "code"',
    });
  });

  it("keeps facts that answer as the fleet did", () => {
    const fleet = testFleet([{ packId: "dev", activeTasks: 1 }, { packId: "ops" }], {
      openBreakers: ["pack ops"],
    });
    const facts = factsOf(fleet, "code", ["dev"], 3, 0);
    expect(route(question, policy, fleetFromFacts(facts))).toEqual(route(question, policy, fleet));
  });
});
