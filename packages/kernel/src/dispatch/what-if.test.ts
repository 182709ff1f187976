import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TestInstance, testFleet } from "../../testing/fleet.ts";
import { codePolicy, testQuestion as question } from "../../testing/routing.ts";
import { testPolicy } from "../../testing/world.ts";
import { factsOf, fleetFromFacts } from "./fleet-facts.ts";
import { overlayFleet } from "./overlay-fleet.ts";
import { type RouteAnswer, route } from "./route.ts";
import { whatIf } from "./what-if.ts";

const policy = codePolicy();

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

  it("[DIS-09] reports what a policy that requires healthy instances, or does not, would have chosen", () => {
    const instances: TestInstance[] = [
      { packId: "dev", health: "DEGRADED" },
      { packId: "dev", instanceId: "dev-2", activeTasks: 4 },
    ];
    const facts = factsOf(testFleet(instances), "code", ["dev"], 1, 0);
    const past = { dispatchId: "d1", question, facts, packId: "dev", instanceId: "dev-1" };
    const one = { maxCandidateAgents: 1 };
    expect(whatIf([past], codePolicy(one))).toEqual([]);
    expect(whatIf([past], codePolicy({ ...one, requireHealthy: true }))).toMatchObject([
      { wouldBe: { refused: 'every agent that may take "code" is busy' } },
    ]);
  });

  it("[DIS-09] keeps facts from which the same policy makes the same choice, whatever other instances are busy", () => {
    const instance = fc.record({
      packId: fc.constantFrom("dev", "ops"),
      instanceId: fc.constantFrom("a", "b", "c", "d"),
      health: fc.constantFrom("HEALTHY", "DEGRADED", "UNHEALTHY"),
      activeTasks: fc.nat(2),
      maxTasks: fc.integer({ min: 1, max: 3 }),
      availableTools: fc.constantFrom([], ["git"]),
    } as const);
    const fresh = fc.record({
      packId: fc.constantFrom("dev", "ops"),
      instanceId: fc.constantFrom("a", "b", "c", "d"),
      taskType: fc.constant("code"),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(instance, { selector: (one) => `${one.packId} ${one.instanceId}` }),
        fc.array(fresh, { maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        (instances, dispatched, maxCandidateAgents, requireHealthy) => {
          const under = codePolicy({ maxCandidateAgents, requireHealthy });
          const fleet = overlayFleet(testFleet(instances), dispatched);
          const answer = route(question, under, fleet);
          const facts = factsOf(fleet, "code", ["dev", "ops"], maxCandidateAgents, 0);
          expect(cameTo(route(question, under, fleetFromFacts(facts)))).toEqual(cameTo(answer));
          // As if the fleet knew of them before.
          const reported = instances.map((one) => ({
            ...one,
            activeTasks:
              one.activeTasks +
              dispatched.filter((it) => it.packId === one.packId && it.instanceId === one.instanceId).length,
          }));
          expect(route(question, under, testFleet(reported))).toEqual(answer);
        },
      ),
      { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 500) },
    );
  });

  /** Without the verdicts: facts keep groups of instances in another order. */
  function cameTo(answer: RouteAnswer): readonly unknown[] {
    if (answer.kind === "refused") return [answer.refusal.reason, answer.refusal.busy];
    return [answer.choice.packId, answer.choice.instanceId, answer.choice.candidatePackIds];
  }

  it("keeps facts that answer as the fleet did", () => {
    const fleet = testFleet([{ packId: "dev", activeTasks: 1 }, { packId: "ops" }], {
      openBreakers: ["pack ops"],
    });
    const facts = factsOf(fleet, "code", ["dev"], 3, 0);
    expect(route(question, policy, fleetFromFacts(facts))).toEqual(route(question, policy, fleet));
  });
});
