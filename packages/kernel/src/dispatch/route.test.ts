import { RiskTier } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TestInstance, testFleet } from "../../testing/fleet.ts";
import { codePolicy, testQuestion as question } from "../../testing/routing.ts";
import { testPolicy } from "../../testing/world.ts";
import { type RouteQuestion, route } from "./route.ts";

const policy = codePolicy();
const healthyOnly = codePolicy({ requireHealthy: true });

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

  it("[SAC-05] takes only the pack that the stage names, which the route has to allow", () => {
    const team = testPolicy({ routes: { code: { allowedPackIds: ["dev", "qa"], fallbackPackId: "chief" } } });
    const instances = ["dev", "qa", "chief"].map((packId) => ({ packId }));
    expect(chosen(instances, { packId: "qa" }, team)).toBe("qa-1");
    expect(chosen([{ packId: "dev" }], { packId: "qa" }, team)).toBe(nobody);
    expect(chosen([{ packId: "dev" }, { packId: "chief" }], { packId: "qa" }, team)).toBe(nobody);
    expect(chosen(instances, { packId: "chief" }, team)).toBe("chief-1");
    expect(chosen(instances, { packId: "dancer" }, team)).toBe(
      'nobody: the stage is for pack "dancer", and the route for "code" does not allow it',
    );
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

  it("[DIS-07] leaves out degraded instances too when the policy requires healthy ones", () => {
    const degraded: TestInstance = { packId: "dev", instanceId: "b", health: "DEGRADED" };
    expect(chosen([degraded], {}, healthyOnly)).toBe(nobody);
    expect(chosen([degraded, { packId: "dev", instanceId: "c", activeTasks: 3 }], {}, healthyOnly)).toBe("c");
    const full = { packId: "dev", instanceId: "c", activeTasks: 4 };
    expect(chosen([degraded, full], {}, healthyOnly)).toBe(
      'nobody: every agent that may take "code" is busy',
    );
  });

  it("[DIS-08] turns to the fallback when all allowed instances are degraded and healthy ones are required", () => {
    const withFallback = codePolicy({
      requireHealthy: true,
      routes: { code: { allowedPackIds: ["dev"], fallbackPackId: "qa" } },
    });
    const degraded: TestInstance = { packId: "dev", health: "DEGRADED" };
    expect(chosen([degraded, { packId: "qa" }], {}, withFallback)).toBe("qa-1");
    expect(chosen([degraded, { packId: "qa", health: "DEGRADED" }], {}, withFallback)).toBe(nobody);
  });

  it("[DIS-05] waits for a pack at its limit only when one of its instances is well enough", () => {
    const fleet = testFleet([{ packId: "dev", health: "DEGRADED" }], { active: { dev: 3 } });
    const busy = (requireHealthy: boolean) => {
      const answer = route(question, codePolicy({ requireHealthy, maxPerPackConcurrent: 3 }), fleet);
      return answer.kind === "refused" && answer.refusal.busy;
    };
    expect([busy(false), busy(true)]).toEqual([true, false]);
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
        fc.boolean(),
        (given, requiredTools, requireHealthy) => {
          const instances = given.map((one, place) => ({
            ...one,
            instanceId: `i${String(place).padStart(2, "0")}`,
            availableTools: one.tools,
            manifest: { interface: { supportedSchemaVersions: ["1.x"], acceptedRiskTiers: one.tiers } },
          }));
          const under = codePolicy({ requireHealthy, maxCandidateAgents: 100 });
          expect(chosen(instances, { requiredTools }, under).split(":")[0]).toBe(
            reference(instances, requiredTools, requireHealthy),
          );
        },
      ),
      { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 500) },
    );
  });

  /** A §3.2 step 3 and §3.3, word for word, and `require_healthy` of A §3.1. */
  function reference(
    instances: readonly (TestInstance & { instanceId: string; tools: string[]; tiers: string[] })[],
    requiredTools: readonly string[],
    requireHealthy: boolean,
  ): string {
    const able = instances
      .filter(({ packId }) => ["dev", "ops"].includes(packId))
      .filter(({ tiers }) => tiers.includes("NORMAL"))
      .filter(({ tools }) => requiredTools.every((tool) => tools.includes(tool)))
      .filter(({ health }) => health !== "UNHEALTHY" && health !== "QUARANTINED")
      .filter(({ health }) => health === "HEALTHY" || !requireHealthy)
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

describe("a retry", () => {
  const two: readonly TestInstance[] = [
    { packId: "dev", instanceId: "dev-1" },
    { packId: "dev", instanceId: "dev-2" },
  ];
  const failed = (...instanceIds: string[]) => ({
    failedOn: instanceIds.map((instanceId) => ({ packId: "dev", instanceId })),
  });

  it("[DIS-14] prefers an instance that did not fail, even one that ranks lower", () => {
    expect(chosen(two)).toBe("dev-1");
    expect(chosen(two, failed("dev-1"))).toBe("dev-2");
    expect(
      chosen([two[0] as TestInstance, { ...two[1], packId: "dev", health: "DEGRADED" }], failed("dev-1")),
    ).toBe("dev-2");
  });

  it("[DIS-14] finds it beyond the candidates that are recorded", () => {
    expect(chosen(two, failed("dev-1"), codePolicy({ maxCandidateAgents: 1 }))).toBe("dev-2");
  });

  it("[DIS-14] takes the one whose failure is longest ago when all have failed, and a free one before a full one", () => {
    expect(chosen(two, failed("dev-1", "dev-2"))).toBe("dev-1");
    expect(chosen(two, failed("dev-2", "dev-1"))).toBe("dev-2");
    const full = { packId: "dev", instanceId: "dev-2", activeTasks: 1, maxTasks: 1 };
    expect(chosen([two[0] as TestInstance, full], failed("dev-1"))).toBe("dev-1");
  });
});
