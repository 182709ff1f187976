import { HealthStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { defaultFleetSettings } from "../settings.ts";
import { Fleet } from "../testing/fleet.ts";

function started(settings = {}): Fleet {
  const fleet = new Fleet(settings);
  fleet.register();
  for (const id of ["a", "b"]) fleet.beat(id);
  return fleet;
}

const pack = { kind: "pack", id: "dev" } as const;
const taskType = { kind: "task-type", id: "review" } as const;

describe("dispatches under way", () => {
  it("[DIS-05] are counted per pack until they are settled", () => {
    const fleet = started();
    fleet.dispatch("d1", "a");
    fleet.dispatch("d2", "b");
    expect(fleet.view.activeOfPack("dev")).toBe(2);
    fleet.settle("d1");
    fleet.settle("d1");
    expect(fleet.view.activeOfPack("dev")).toBe(1);
    expect(fleet.view.activeOfPack("qa")).toBe(0);
  });

  it("[DIS-07] make an instance busier at once, beside what it has of others", () => {
    const fleet = started();
    const active = () => {
      const [profile] = fleet.view.profiles("dev", fleet.nowMs);
      return profile
        ?.best(2, fleet.nowMs)
        .map(({ instanceId, activeTasks }) => `${instanceId}:${activeTasks}`);
    };
    fleet.dispatch("d1", "a");
    expect(active()).toEqual(["b:0", "a:1"]);
    fleet.beat("b", { capacity: { activeTasks: 3, maxTasks: 4 } });
    fleet.dispatch("d2", "b");
    expect(active()).toEqual(["a:1", "b:4"]);
    fleet.beat("b", { capacity: { activeTasks: 0, maxTasks: 4 } });
    expect(active()).toEqual(["a:1", "b:1"]);
    fleet.settle("d1");
    expect(active()).toEqual(["a:0", "b:1"]);
  });

  it("[DIS-07] free capacity as soon as they end, whatever a heartbeat says while they are active", () => {
    const fleet = started();
    const full = { capacity: { activeTasks: 1, maxTasks: 1 } };
    fleet.dispatch("d1", "a");
    fleet.beat("a", full);
    fleet.settle("d1");
    const [profile] = fleet.view.profiles("dev", fleet.nowMs);
    expect(profile?.best(2, fleet.nowMs)).toMatchObject([
      { instanceId: "a", activeTasks: 0, maxTasks: 1 },
      { instanceId: "b", activeTasks: 0 },
    ]);
  });

  it("[DIS-05] from before a restart count at once, even before their instance is back", () => {
    const fleet = new Fleet();
    fleet.register();
    const recovered = { packId: "dev", instanceId: "a", taskType: "review", recovered: true } as const;
    fleet.take({ kind: "dispatched", dispatchId: "d1", ...recovered });
    fleet.take({ kind: "dispatched", dispatchId: "d1", ...recovered });
    expect(fleet.view.activeOfPack("dev")).toBe(1);
    expect([...fleet.view.profiles("dev", fleet.nowMs)]).toEqual([]);
    fleet.beat("a");
    const [profile] = fleet.view.profiles("dev", fleet.nowMs);
    expect(profile?.best(1, fleet.nowMs)).toMatchObject([{ instanceId: "a", activeTasks: 1 }]);
    fleet.settle("d1");
    expect(fleet.view.activeOfPack("dev")).toBe(0);
  });

  it("[DIS-03] from before a restart are lost when their instance sends no heartbeat for one lease", () => {
    const fleet = new Fleet();
    fleet.register();
    const recovered = { packId: "dev", taskType: "review", recovered: true } as const;
    fleet.take({ kind: "dispatched", dispatchId: "d1", instanceId: "a", ...recovered });
    fleet.take({ kind: "dispatched", dispatchId: "d2", instanceId: "b", ...recovered });
    fleet.beat("b");
    fleet.nowMs += 29_999;
    expect(fleet.take({ kind: "tick" }).records).toEqual([]);
    fleet.beat("b");
    fleet.nowMs += 1;
    expect(fleet.take({ kind: "tick" }).records).toMatchObject([
      { kind: "lease-ended", instanceId: "a", reason: "expired", lostDispatchIds: ["d1"] },
      { kind: "breaker-moved" },
      { kind: "breaker-moved" },
    ]);
    expect(fleet.view.activeOfPack("dev")).toBe(1);
    expect(fleet.take({ kind: "tick" }).records).toEqual([]);
  });

  it("[DIS-03] are refused for an instance that is unknown or gone", () => {
    const fleet = started();
    expect(fleet.dispatch("d1", "nobody").problem?.code).toBe("BATON-FLEET-005");
    fleet.nowMs += 30_000;
    expect(fleet.dispatch("d1", "a").problem).toMatchObject({
      code: "BATON-FLEET-007",
      message: "instance dev/a is gone",
    });
  });

  it("[DIS-05] have an id of their own; the same dispatch twice is one", () => {
    const fleet = started();
    fleet.dispatch("d1", "a");
    expect(fleet.dispatch("d1", "a")).toEqual({ records: [], audit: [] });
    expect(fleet.dispatch("d1", "b").problem?.code).toBe("BATON-FLEET-009");
  });

  it("[DIS-05] are limited in number", () => {
    const fleet = started({ limits: { ...defaultFleetSettings.limits, dispatches: 1 } });
    fleet.dispatch("d1", "a");
    expect(fleet.dispatch("d2", "a").problem?.code).toBe("BATON-FLEET-006");
  });
});

describe("breakers that guard a dispatch", () => {
  const breaker = { errorThreshold: 2, windowMs: 60_000, halfOpenAfterMs: 5_000 };

  it("[DIS-05] one for the task type and one for the pack, each by its own failures", () => {
    const fleet = started({ breaker });
    fleet.dispatch("d1", "a", "review");
    fleet.dispatch("d2", "a", "build");
    fleet.settle("d1", "failed");
    fleet.settle("d2", "failed");
    expect(fleet.view.breaker(pack, 0)).toBe("open");
    expect(fleet.view.breaker(taskType, 0)).toBe("closed");
    expect(fleet.dispatch("d3", "a").problem).toMatchObject({
      code: "BATON-FLEET-008",
      message: 'the breaker of pack "dev" is open',
    });
  });

  it("[DIS-05] let one probe through both, and close with its success", () => {
    const fleet = started({ breaker });
    for (const id of ["d1", "d2"]) fleet.dispatch(id, "a");
    for (const id of ["d1", "d2"]) fleet.settle(id, "failed");
    fleet.nowMs += 5_000;
    expect(fleet.view.breaker(taskType, fleet.nowMs)).toBe("half-open");
    fleet.dispatch("probe", "a");
    expect(fleet.view.breaker(taskType, fleet.nowMs)).toBe("open");
    expect(fleet.dispatch("second", "b").problem?.message).toBe('the breaker of task type "review" is open');
    fleet.settle("probe");
    expect([taskType, pack].map((scope) => fleet.view.breaker(scope, fleet.nowMs))).toEqual([
      "closed",
      "closed",
    ]);
    expect(fleet.state.breakers.size).toBe(0);
  });

  it("[DIS-05] dispatches lost with an instance count as failed", () => {
    const fleet = started({ breaker });
    for (const id of ["d1", "d2", "d3"]) fleet.dispatch(id, "a");
    fleet.take({ kind: "detach", packId: "dev", instanceId: "a" });
    expect(fleet.view.breaker(pack, fleet.nowMs)).toBe("open");
  });

  it("[DIS-05] a probe that is lost with its instance opens the breaker again", () => {
    const fleet = started({ breaker });
    for (const id of ["d1", "d2"]) fleet.dispatch(id, "a");
    for (const id of ["d1", "d2"]) fleet.settle(id, "failed");
    fleet.nowMs += 5_000;
    fleet.dispatch("probe", "a");
    fleet.take({ kind: "detach", packId: "dev", instanceId: "a" });
    expect(fleet.view.breaker(pack, fleet.nowMs + 4_999)).toBe("open");
    expect(fleet.view.breaker(pack, fleet.nowMs + 5_000)).toBe("half-open");
  });
});

describe("profiles", () => {
  it("[DIS-07] group instances by version and tools, and know the tools they have", () => {
    const fleet = new Fleet();
    fleet.register({ providedTools: ["git", "node"] });
    fleet.beat("a", { availableTools: ["npm", "docker"] });
    fleet.beat("b", { availableTools: ["docker", "npm", "npm"] });
    const health = { status: HealthStatus.DEGRADED, degradedTools: ["git", "docker"] };
    fleet.beat("c", { availableTools: ["docker"], health });
    const profiles = [...fleet.view.profiles("dev", 0)].map(({ tools, counts }) => [
      [...tools].sort(),
      counts,
    ]);
    const none = { healthy: 0, degraded: 0, unhealthy: 0, quarantined: 0 };
    expect(profiles).toEqual([
      [["docker", "git", "node", "npm"], { ...none, healthy: 2 }],
      [["node"], { ...none, degraded: 1 }],
    ]);
  });

  it("[DIS-07] are deleted when their last instance leaves or changes", () => {
    const fleet = started();
    const count = () => fleet.state.packs.get("dev")?.profiles.size;
    for (let change = 0; change < 50; change++) fleet.beat("a", { availableTools: [`tool ${change}`] });
    expect(count()).toBe(2);
    fleet.nowMs += 30_000;
    fleet.tick();
    expect(count()).toBe(0);
  });

  it("[DIS-07] put healthy before degraded, and take at most as many of each as asked for", () => {
    const fleet = started();
    fleet.beat("d", { health: { status: HealthStatus.DEGRADED } });
    fleet.beat("u", { health: { status: HealthStatus.UNHEALTHY } });
    fleet.beat("a", { capacity: { activeTasks: 9, maxTasks: 4 } });
    const [profile] = fleet.view.profiles("dev", 0);
    const best = (n: number) => profile?.best(n, 0).map(({ instanceId, health }) => [instanceId, health]);
    expect(best(9)).toEqual([
      ["b", "HEALTHY"],
      ["a", "HEALTHY"],
      ["d", "DEGRADED"],
    ]);
    expect(best(1)).toEqual([
      ["b", "HEALTHY"],
      ["d", "DEGRADED"],
    ]);
    expect(best(0)).toEqual([]);
    expect(profile?.counts).toEqual({ healthy: 2, degraded: 1, unhealthy: 1, quarantined: 0 });
  });

  it("[DIS-03] do not count leases that ran out, tick or no tick", () => {
    const fleet = started();
    fleet.nowMs += 10_000;
    fleet.beat("c");
    fleet.nowMs += 20_000;
    const [profile] = fleet.view.profiles("dev", fleet.nowMs);
    expect(profile?.counts.healthy).toBe(1);
  });

  it("[DIS-07] treat no capacity as a capacity of one", () => {
    const fleet = new Fleet();
    fleet.register();
    fleet.beat("a", { capacity: { activeTasks: -3, maxTasks: 0 } });
    const [profile] = fleet.view.profiles("dev", 0);
    expect(profile?.best(1, 0)).toMatchObject([{ activeTasks: 0, maxTasks: 1, avgLatencyMs: 0 }]);
  });
});
