import { AgentRole, HealthStatus, RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { envelope, runAgent } from "../testing/index.ts";
import type { AgentDefinition } from "./api/definition.ts";
import { HealthMonitor } from "./health.ts";
import { capacityOf, manifestOf } from "./manifest.ts";

const definition: AgentDefinition = {
  pack: "qa",
  version: "1.0.0",
  taskTypes: ["review"],
  tools: ["npm"],
  run: (task) => task.success("done"),
};

describe("a manifest", () => {
  it("[DIS-02] contains the fields of the definition", () => {
    expect(
      manifestOf({
        ...definition,
        description: "reviews",
        safetyTier: "critical",
        role: "reviewer",
        maxConcurrentTasks: 4,
        maxTaskDurationMs: 60_000,
        minOrchestratorVersion: "0.1.0",
        dataSchema: { type: "object" },
      }),
    ).toMatchObject({
      safetyTier: RiskTier.CRITICAL,
      role: AgentRole.REVIEWER,
      minOrchestratorVersion: "0.1.0",
      interface: {
        acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL", "RISK_TIER_CRITICAL"],
        maxConcurrentTasks: 4,
        maxTaskDuration: { seconds: 60n },
      },
      dataSchema: { type: "object" },
    });
  });

  it("[DIS-02] that the hub would refuse is an error that names the option", () => {
    expect(() => manifestOf({ ...definition, pack: "" })).toThrow("pack must be a non-empty string");
  });

  it("limits capacity to maxConcurrentTasks", () => {
    expect(capacityOf(definition)).toBe(1);
    expect(capacityOf({ ...definition, maxConcurrentTasks: 4 })).toBe(4);
    for (const capacity of [0, -1, 1.5, Number.NaN, 513]) {
      expect(() => capacityOf({ ...definition, capacity })).toThrow("from 1 to 512");
    }
    expect(() => capacityOf({ ...definition, capacity: 5, maxConcurrentTasks: 4 })).toThrow("from 1 to 4");
  });
});

describe("health", () => {
  it("[DIS-07] covers the last minute: error rate and mean latency", async () => {
    let now = 0;
    const vitals = new HealthMonitor(definition, () => now);
    const end = async (tookMs: number, ok: boolean) => {
      const run: AgentDefinition["run"] = (task) => (ok ? task.success("s") : task.failure("f"));
      const { result } = await runAgent({ ...definition, run }, envelope());
      if (result) vitals.noteEnd(tookMs, result);
    };
    await end(1_000, false);
    now = 30_000;
    await end(3_000, true);
    expect(vitals.health()).toMatchObject({ errorRate1m: 0.5, avgLatency1m: { seconds: 2n } });
    now = 61_000;
    expect(vitals.health()).toMatchObject({ errorRate1m: 0, avgLatency1m: { seconds: 3n } });
    now = 91_000;
    expect(vitals.health()).toMatchObject({ errorRate1m: 0, avgLatency1m: { seconds: 0n } });
  });

  it("[DIS-07] lists a declared tool that did not start, until it starts or a minute has passed", () => {
    let now = 0;
    const vitals = new HealthMonitor(definition, () => now);
    vitals.noteTool("npm", false);
    vitals.noteTool("something else", false);
    expect(vitals.health()).toMatchObject({ status: HealthStatus.DEGRADED, degradedTools: ["npm"] });
    vitals.noteTool("npm", true);
    expect(vitals.health()).toMatchObject({ status: HealthStatus.HEALTHY, degradedTools: [] });
    vitals.noteTool("npm", false);
    now = 60_001;
    expect(vitals.health()).toMatchObject({ status: HealthStatus.HEALTHY, degradedTools: [] });
  });

  it("is what health() returns, and unhealthy when it throws", () => {
    const health = (say: () => "healthy" | "degraded" | "unhealthy") =>
      new HealthMonitor({ ...definition, health: say }).health().status;
    expect(health(() => "degraded")).toBe(HealthStatus.DEGRADED);
    const broken = () => {
      throw new Error("no");
    };
    expect(health(broken)).toBe(HealthStatus.UNHEALTHY);
  });
});
