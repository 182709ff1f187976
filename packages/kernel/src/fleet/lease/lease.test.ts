import { HealthStatus } from "@baton/contract";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { defaultFleetSettings } from "../settings.ts";
import { evolveFleet } from "../state/evolve-fleet.ts";
import { emptyFleet, findInstance } from "../state/fleet-state.ts";
import type { FleetRecord } from "../state/record.ts";
import { Fleet } from "../testing/fleet.ts";
import { Reached } from "../testing/reached.ts";
import { instanceInfo, listInstances } from "../view/instance-info.ts";
import { leaseTransitions } from "./lease.ts";

const reached = new Reached(leaseTransitions);

/** The transition a record makes; undefined for one that makes none. */
function transitionOf(record: FleetRecord, from: string): string | undefined {
  if (record.kind === "heartbeat-taken") return "heartbeat";
  if (record.kind === "instance-forgotten") return "forget";
  if (record.kind === "lease-ended") return record.reason === "expired" ? "expire" : "detach";
  return "conduct" in record && from === "ABSENT" ? "note" : undefined;
}

function watch(fleet: Fleet): Fleet {
  fleet.onRecord = (record, fold) => {
    if (!("instanceId" in record)) return fold();
    const presence = () => findInstance(fleet.state, record.packId, record.instanceId)?.presence ?? "ABSENT";
    const before = presence();
    fold();
    const transition = transitionOf(record, before);
    if (transition) reached.see(before, transition, presence());
  };
  return fleet;
}

function started(settings = {}): Fleet {
  const fleet = watch(new Fleet(settings));
  fleet.register();
  fleet.nowMs = 1_000_000;
  return fleet;
}

describe("leases", () => {
  it("[DIS-03] a heartbeat makes an instance a candidate until its lease runs out, tick or no tick", () => {
    const fleet = started();
    fleet.beat("a", { leaseTtl: durationFromMs(5_000) });
    fleet.nowMs += 4_999;
    expect(fleet.best()).toEqual(["a"]);
    fleet.nowMs += 1;
    expect(fleet.best()).toEqual([]);
    expect([...fleet.view.profiles("dev", fleet.nowMs)]).toEqual([]);
  });

  it("[DIS-03] a tick ends the leases that ran out and names the lost dispatches", () => {
    const fleet = started();
    for (const id of ["a", "b", "c"]) fleet.beat(id);
    fleet.dispatch("d2", "b");
    fleet.dispatch("d1", "b");
    fleet.dispatch("d3", "c");
    fleet.nowMs += 20_000;
    fleet.beat("c");
    fleet.nowMs += 10_000;
    expect(fleet.tick().records).toEqual([
      expect.objectContaining({
        kind: "lease-ended",
        instanceId: "a",
        reason: "expired",
        lostDispatchIds: [],
      }),
      expect.objectContaining({ kind: "lease-ended", instanceId: "b", lostDispatchIds: ["d1", "d2"] }),
      expect.objectContaining({ kind: "breaker-moved" }),
      expect.objectContaining({ kind: "breaker-moved" }),
      expect.objectContaining({ kind: "breaker-moved" }),
      expect.objectContaining({ kind: "breaker-moved" }),
    ]);
    expect(fleet.view.activeOfPack("dev")).toBe(1);
    expect(fleet.best()).toEqual(["c"]);
    expect(fleet.tick().records).toEqual([]);
  });

  it("[DIS-03] a late heartbeat brings the instance back, and what was lost stays lost, tick or no tick", () => {
    for (const withTick of [true, false]) {
      const fleet = started();
      fleet.beat("a");
      fleet.dispatch("d1", "a");
      fleet.nowMs += 30_000;
      const records = [...(withTick ? fleet.tick().records : []), ...fleet.beat("a").records];
      expect(records.map(({ kind }) => kind)).toEqual([
        "lease-ended",
        "breaker-moved",
        "breaker-moved",
        "heartbeat-taken",
      ]);
      expect(fleet.best()).toEqual(["a"]);
      expect(fleet.view.activeOfPack("dev")).toBe(0);
      expect(fleet.settle("d1").records).toEqual([]);
    }
  });

  it("[DIS-03] a lost stream ends the lease at once", () => {
    const fleet = started();
    fleet.beat("a");
    fleet.dispatch("d1", "a");
    const detach = { kind: "detach", packId: "dev", instanceId: "a" } as const;
    expect(fleet.take(detach).records[0]).toMatchObject({ reason: "detached", lostDispatchIds: ["d1"] });
    expect(fleet.best()).toEqual([]);
    expect(fleet.take(detach).records).toEqual([]);
    expect(fleet.take({ ...detach, instanceId: "nobody" }).records).toEqual([]);
    fleet.beat("a");
    expect(fleet.best()).toEqual(["a"]);
  });

  it.each([
    { asked: undefined, granted: 30_000 },
    { asked: 0, granted: 1_000 },
    { asked: -5_000, granted: 1_000 },
    { asked: 45_500, granted: 45_500 },
    { asked: 86_400_000, granted: 600_000 },
  ])("[DIS-03] a lease of $asked ms is granted for $granted ms", ({ asked, granted }) => {
    const fleet = started();
    const { records } = fleet.beat("a", asked === undefined ? {} : { leaseTtl: durationFromMs(asked) });
    expect(records).toMatchObject([{ leaseUntilMs: fleet.nowMs + granted }]);
  });

  it("[DIS-03] an instance that was gone is back although its clock was set back by an hour", () => {
    const fleet = started();
    fleet.nowMs = 10_000_000;
    fleet.beat("a", { heartbeatAt: timestampFromMs(fleet.nowMs) });
    const anHourAgo = () => ({ heartbeatAt: timestampFromMs(fleet.nowMs - 3_600_000) });
    fleet.nowMs += 1_000;
    fleet.beat("a", { ...anHourAgo(), leaseTtl: durationFromMs(5_000) });
    fleet.nowMs += 100_000;
    expect(fleet.best()).toEqual([]);
    fleet.beat("a", anHourAgo());
    expect(fleet.best()).toEqual(["a"]);
  });

  it("[DIS-03] an older heartbeat that arrives later does not overwrite a newer one", () => {
    const fleet = started();
    const at = (ms: number) => ({ heartbeatAt: timestampFromMs(ms) });
    fleet.beat("a", { ...at(999_000), health: { status: HealthStatus.UNHEALTHY } });
    expect(fleet.beat("a", at(998_999)).records).toEqual([]);
    expect(fleet.best()).toEqual([]);
    fleet.take({ kind: "detach", packId: "dev", instanceId: "a" });
    expect(fleet.beat("a", at(998_999)).records).toEqual([]);
    expect(fleet.beat("a", at(999_000)).records).toHaveLength(1);
    expect(fleet.best()).toEqual(["a"]);
  });

  it("[DIS-03] an agent whose clock was set back from the future is accepted", () => {
    const fleet = started();
    fleet.beat("a", { heartbeatAt: timestampFromMs(9_000_000) });
    fleet.nowMs += 10;
    expect(fleet.beat("a", { heartbeatAt: timestampFromMs(fleet.nowMs) }).records).toHaveLength(1);
  });

  it("[DIS-03] a heartbeat of an unknown pack or version is refused", () => {
    const fleet = started();
    const unknown = [{ packId: "qa" }, { packVersion: "9.0.0" }, { packId: "qa", packVersion: "" }];
    for (const init of unknown) expect(fleet.beat("a", init).problem?.code).toBe("BATON-FLEET-004");
    expect(fleet.beat("a", { packVersion: "9.0.0" }).problem?.message).toBe(
      'version 9.0.0 of pack "dev" is not known',
    );
  });

  it("[DIS-03] a heartbeat without a version means the one stated before, or the only one", () => {
    const fleet = started();
    expect(fleet.beat("a", { packVersion: "" }).records).toMatchObject([{ packVersion: "1.0.0" }]);
    fleet.register({ packVersion: "2.0.0" });
    expect(fleet.beat("b", { packVersion: "" }).problem?.code).toBe("BATON-FLEET-004");
    expect(fleet.beat("a", { packVersion: "" }).records).toMatchObject([{ packVersion: "1.0.0" }]);
    fleet.beat("a", { packVersion: "2.0.0" });
    const [profile, ...others] = fleet.view.profiles("dev", fleet.nowMs);
    expect(profile?.manifest.packVersion).toBe("2.0.0");
    expect(others).toEqual([]);
  });

  it("[DIS-03] refuses a heartbeat without ids, and more tools, letters and sets than are allowed", () => {
    const limits = { ...defaultFleetSettings.limits, toolsPerInstance: 2, nameLength: 8, profilesPerPack: 2 };
    const fleet = started({ limits });
    expect(fleet.beat("").problem).toMatchObject({ code: "BATON-FLEET-001", at: "heartbeat.instance_id" });
    const degraded = { status: HealthStatus.HEALTHY, degradedTools: ["c"] };
    const tooMuch = [
      fleet.beat("a", { availableTools: ["a", "b"], health: degraded }),
      fleet.beat("a", { availableTools: ["a name that is long"] }),
      fleet.beat("an id that is long"),
    ];
    for (const { problem } of tooMuch) expect(problem?.code).toBe("BATON-FLEET-006");
    fleet.beat("a", { availableTools: ["a"] });
    fleet.beat("b", { availableTools: ["b"] });
    expect(fleet.beat("c", { availableTools: ["c"] }).problem?.code).toBe("BATON-FLEET-006");
    expect(fleet.beat("c", { availableTools: ["b", "b"] }).problem).toBeUndefined();
  });

  it("[DIS-03] a full fleet forgets the instance that has been gone longest, and refuses when none is", () => {
    const fleet = started({ limits: { ...defaultFleetSettings.limits, instances: 2 } });
    fleet.beat("a");
    fleet.beat("b");
    expect(fleet.beat("c").problem).toMatchObject({
      code: "BATON-FLEET-006",
      message: "3 instances are more than the 2 that are allowed",
    });
    fleet.take({ kind: "detach", packId: "dev", instanceId: "b" });
    expect(fleet.beat("c").records.map(({ kind }) => kind)).toEqual([
      "instance-forgotten",
      "heartbeat-taken",
    ]);
    expect(fleet.best()).toEqual(["a", "c"]);
  });

  it("[DIS-03] a gone instance is listed as gone since it went, and never as healthy", () => {
    const fleet = started();
    for (const id of ["a", "b"]) fleet.beat(id);
    const info = (id: string) => instanceInfo(fleet.state, "dev", id, fleet.nowMs);
    expect(info("a")).toMatchObject({ presence: "LIVE", health: "HEALTHY", goneSinceMs: undefined });
    fleet.nowMs += 10_000;
    fleet.take({ kind: "detach", packId: "dev", instanceId: "a" });
    fleet.nowMs += 25_000;
    // Before a tick and after it: the lease of b ended when it ran out.
    for (const moment of ["before", "after"]) {
      expect(info("a"), moment).toMatchObject({
        presence: "GONE",
        health: "UNHEALTHY",
        goneSinceMs: 1_010_000,
      });
      expect(info("b"), moment).toMatchObject({
        presence: "GONE",
        health: "UNHEALTHY",
        goneSinceMs: 1_030_000,
      });
      fleet.tick();
    }
    fleet.beat("a");
    expect(info("a")).toMatchObject({ presence: "LIVE", health: "HEALTHY", goneSinceMs: undefined });
  });

  it("[DIS-03] an instance that has been gone for an hour is forgotten, unless it is quarantined", () => {
    const fleet = started();
    for (const id of ["a", "b"]) fleet.beat(id);
    for (let times = 0; times < 3; times++) fleet.result("b", false, "no evidence");
    fleet.nowMs += 30_000;
    fleet.tick();
    fleet.nowMs += 3_600_000;
    expect(fleet.tick().records).toEqual([{ kind: "instance-forgotten", packId: "dev", instanceId: "a" }]);
    expect([...listInstances(fleet.state, fleet.nowMs)]).toMatchObject([
      { instanceId: "b", presence: "GONE", health: "QUARANTINED" },
    ]);
    fleet.take({ kind: "restore", packId: "dev", instanceId: "b", by: "kim", reason: "repaired" });
    expect(fleet.tick().records).toEqual([]);
    fleet.nowMs += 3_600_000;
    expect(fleet.tick().records).toHaveLength(1);
    expect(instanceInfo(fleet.state, "dev", "b", fleet.nowMs)).toBeUndefined();
  });

  it("[DIS-03] what the hub counted is there before the first heartbeat after its restart", () => {
    const conduct = {
      standing: "quarantined",
      consecutiveInvalidResults: 3,
      lastError: "x",
      disprovedClaims: 0,
    };
    const record = { kind: "quarantined", packId: "dev", instanceId: "a", conduct, atMs: 5 } as const;
    const restarted = watch(new Fleet());
    restarted.onRecord(record as FleetRecord, () => evolveFleet(restarted.state, record as FleetRecord));
    expect(restarted.view.knowsPack("dev")).toBe(false);
    restarted.register();
    restarted.beat("a");
    expect(restarted.best()).toEqual([]);
    expect(instanceInfo(restarted.state, "dev", "a", 0)).toMatchObject({ health: "QUARANTINED" });
  });

  it("[DIS-03] an unknown instance has no info", () => {
    expect(instanceInfo(emptyFleet(), "dev", "a", 0)).toBeUndefined();
  });

  it("[DIS-03] every transition of the table has been reached by the tests above", () => {
    expect(reached.missing).toEqual([]);
  });
});
