import { describe, expect, it } from "vitest";
import { type TestInstance, testFleet } from "../../testing/fleet.ts";
import { codePolicy, testQuestion as question } from "../../testing/routing.ts";
import { explainRoute } from "./explain.ts";
import { route } from "./route.ts";

const policy = codePolicy();
const healthyOnly = codePolicy({ requireHealthy: true });

const addCargo =
  "add cargo to the tools of its pack (tools in code, provided_tools in a file of a pack) with a new version, " +
  "or fix the tool where it is degraded";

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
        '  - pack "ops": 0 unhealthy and 1 quarantined instances, and no other; to be taken: fix ops/ops-1, then let it in again: baton agent restore ops/ops-1 --reason "..."',
      ].join("\n"),
    );
  });

  it("[DIS-09] says nothing of the latency of an instance that has done nothing yet", () => {
    const answer = route(question, policy, testFleet([{ packId: "dev", avgLatencyMs: 0 }]));
    expect(answer.kind === "routed" && explainRoute("code", answer.choice)).toContain(
      "taken: healthy, 0 of 4 tasks\n",
    );
  });

  it("[DIS-09] lists everything that would have to change", () => {
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
    // The tier that a pack is trusted with comes first: a longer list alone would go around it.
    expect(verdict?.remedy).toContain(
      "if it may be trusted with such work, give its pack a new version with the safety tier normal (safetyTier in code, safety_tier in a file of a pack",
    );
  });

  it("[DIS-09] names the degraded instances that the policy leaves out, and the fix", () => {
    const degraded: TestInstance = { packId: "dev", health: "DEGRADED" };
    const reported = (instances: readonly TestInstance[]) => {
      const answer = route(question, healthyOnly, testFleet(instances));
      return explainRoute("code", answer.kind === "routed" ? answer.choice : answer.refusal).split("\n");
    };
    const line =
      '  - pack "dev": 1 degraded, and the routing policy takes only healthy instances; ' +
      "to be taken: fix what is degraded, or set defaults.require_healthy to false";
    expect(reported([degraded]).slice(2)).toEqual([
      line,
      '  - pack "ops": no agent of pack "ops" is known; to be taken: start an agent of pack "ops"',
      "  what would help: fix what is degraded, or set defaults.require_healthy to false",
    ]);
    expect(reported([degraded, { packId: "dev", instanceId: "dev-2" }]).slice(2, 4)).toEqual([
      "  1. dev-2 (dev): taken: healthy, 0 of 4 tasks, 100 ms on average",
      line,
    ]);
  });

  it("[DIS-09] says what would help when nobody can take it", () => {
    const answer = route({ ...question, requiredTools: ["cargo"] }, policy, testFleet([{ packId: "dev" }]));
    expect(answer.kind === "refused" && explainRoute("code", answer.refusal)).toBe(
      [
        '"code" went nowhere: no agent can take "code"',
        "  routing policy 1.0.0",
        `  - pack "dev": it lacks cargo; to be taken: ${addCargo}`,
        '  - pack "ops": no agent of pack "ops" is known; to be taken: start an agent of pack "ops"',
        `  what would help: ${addCargo}`,
      ].join("\n"),
    );
  });

  it("[DIS-09] advises to fix a connected agent before starting another one", () => {
    const unknown = testFleet([{ packId: "ops" }]);
    const gone = { ...unknown, knowsPack: () => true };
    for (const fleet of [unknown, gone]) {
      const answer = route({ ...question, requiredTools: ["cargo"] }, policy, fleet);
      const reported = answer.kind === "refused" ? explainRoute("code", answer.refusal).split("\n") : [];
      expect(reported.slice(2)).toEqual([
        `  - pack "ops": it lacks cargo; to be taken: ${addCargo}`,
        expect.stringMatching(/^ {2}- pack "dev": .*; to be taken: start an agent of pack "dev"$/),
        `  what would help: ${addCargo}`,
      ]);
    }
  });
});
