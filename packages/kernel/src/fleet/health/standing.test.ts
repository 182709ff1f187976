import { AuditEntrySchema, AuditEventType, HealthStatus, validate } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { findInstance } from "../state/fleet-state.ts";
import { Fleet } from "../testing/fleet.ts";
import { Reached } from "../testing/reached.ts";
import { instanceInfo } from "../view/instance-info.ts";
import { standingTransitions } from "./standing.ts";

const reached = new Reached(standingTransitions);

function started(settings = {}): Fleet {
  const fleet = new Fleet(settings);
  fleet.register();
  fleet.beat("a");
  fleet.onRecord = (record, fold) => {
    if (!("conduct" in record) || record.kind === "conduct-inherited") return fold();
    const standing = () =>
      findInstance(fleet.state, record.packId, record.instanceId)?.conduct.standing ?? "";
    const before = standing();
    fold();
    const { consecutiveInvalidResults, disprovedClaims } = record.conduct;
    if (disprovedClaims > 0) return;
    const noted = consecutiveInvalidResults > 0 ? "invalid" : "valid";
    const transition = { "conduct-noted": noted, quarantined: "quarantine", restored: "restore" }[
      record.kind
    ];
    reached.see(before, transition, standing());
  };
  return fleet;
}

const restore = { kind: "restore", packId: "dev", instanceId: "a", by: "kim", reason: "repaired" } as const;

describe("standing", () => {
  it("[DIS-14] three invalid results in a row quarantine an instance, with an audit entry", () => {
    const fleet = started();
    expect(fleet.result("a", false, "no evidence").audit).toEqual([]);
    expect(fleet.result("a", false, "no evidence").audit).toEqual([]);
    expect(fleet.best()).toEqual(["a"]);
    const { records, audit } = fleet.result("a", false, "trace id differs");
    expect(records).toMatchObject([{ kind: "quarantined", instanceId: "a" }]);
    expect(audit).toMatchObject([{ eventType: AuditEventType.AGENT_QUARANTINED, packId: "dev" }]);
    const snapshot = { instanceId: "a", consecutiveFailures: 3, lastError: "trace id differs" };
    expect(audit[0]?.snapshot?.snapshotPayload).toEqual({ case: "agent", value: snapshot });
    expect(fleet.best()).toEqual([]);
    const [profile] = fleet.view.profiles("dev", 0);
    expect(profile?.counts).toEqual({ healthy: 0, degraded: 0, unhealthy: 0, quarantined: 1 });
  });

  it("[DIS-14] a valid result starts the count again", () => {
    const fleet = started();
    for (const valid of [false, false, true, false, false, true, true]) fleet.result("a", valid, "bad");
    expect(fleet.best()).toEqual(["a"]);
    expect(instanceInfo(fleet.state, "dev", "a", 0)?.conduct).toMatchObject({
      standing: "trusted",
      consecutiveInvalidResults: 0,
      lastError: "",
    });
  });

  it("[DIS-14] the number is a setting", () => {
    const fleet = started({ quarantineAfter: 1 });
    expect(fleet.result("a", false, "bad").records).toMatchObject([{ kind: "quarantined" }]);
  });

  it("[DIS-14] no heartbeat lifts a quarantine, also not after a restart or with another version", () => {
    const fleet = started({ quarantineAfter: 1 });
    fleet.result("a", false, "bad");
    fleet.register({ packVersion: "2.0.0" });
    fleet.beat("a");
    expect(fleet.best()).toEqual([]);
    fleet.take({ kind: "detach", packId: "dev", instanceId: "a" });
    fleet.beat("a", { packVersion: "2.0.0" });
    fleet.result("a", true);
    fleet.result("a", false, "worse");
    expect(fleet.best()).toEqual([]);
    expect(fleet.dispatch("d1", "a").problem).toMatchObject({
      code: "BATON-FLEET-007",
      message: "instance dev/a is quarantined",
    });
  });

  it("[DIS-14] an operator restores it, and the audit names who and why", () => {
    const fleet = started({ quarantineAfter: 2 });
    for (let times = 0; times < 2; times++) fleet.result("a", false, "bad");
    const { audit } = fleet.take(restore);
    expect(audit).toMatchObject([
      { eventType: AuditEventType.AGENT_RESTORED, actor: { id: "kim" }, rationale: "repaired" },
    ]);
    expect(audit[0]?.snapshot?.snapshotPayload.value).toMatchObject({
      consecutiveFailures: 2,
      lastError: "bad",
    });
    expect(fleet.best()).toEqual(["a"]);
    fleet.result("a", false, "bad");
    expect(fleet.best()).toEqual(["a"]);
  });

  it("[DIS-14] only a quarantined instance is restored, with a name and a reason", () => {
    const fleet = started({ quarantineAfter: 1 });
    expect(fleet.take(restore).problem?.code).toBe("BATON-FLEET-010");
    expect(fleet.take({ ...restore, instanceId: "b" }).problem?.code).toBe("BATON-FLEET-005");
    fleet.result("a", false, "bad");
    expect(fleet.take({ ...restore, by: "" }).problem?.at).toBe("by");
    expect(fleet.take({ ...restore, reason: "" }).problem?.at).toBe("reason");
  });

  it("[DIS-14] its audit entries keep the rules of the contract", () => {
    const fleet = started({ quarantineAfter: 1 });
    const error = `${"x".repeat(1_023)}😀`;
    const audit = [...fleet.result("a", false, error).audit, ...fleet.take(restore).audit];
    expect(audit).toHaveLength(2);
    for (const draft of audit) {
      const entry = create(AuditEntrySchema, { ...draft, auditId: "1" });
      expect(validate(AuditEntrySchema, entry)).toEqual([]);
    }
    expect(audit[0]?.snapshot?.snapshotPayload.value.lastError.isWellFormed()).toBe(true);
  });

  it("[PIP-07] three results in a row whose claims did not hold quarantine an instance, with an audit entry", () => {
    const fleet = started();
    const disproved = {
      kind: "claims",
      packId: "dev",
      instanceId: "a",
      held: false,
      error: "it claimed tests",
    } as const;
    const conduct = () => instanceInfo(fleet.state, "dev", "a", 0)?.conduct;
    fleet.take(disproved);
    fleet.take(disproved);
    expect(conduct()).toMatchObject({ consecutiveDisprovedClaims: 2, standing: "suspect" });
    // A result that can be read proves nothing about what it claims.
    fleet.result("a", true);
    expect(conduct()).toMatchObject({ consecutiveDisprovedClaims: 2, standing: "suspect" });
    fleet.take({ ...disproved, held: true });
    expect(conduct()).toMatchObject({
      disprovedClaims: 2,
      consecutiveDisprovedClaims: 0,
      standing: "trusted",
    });
    fleet.take(disproved);
    fleet.take(disproved);
    expect(fleet.best()).toEqual(["a"]);
    const [entry] = fleet.take(disproved).audit;
    expect(entry?.rationale).toBe("3 results in a row whose claims did not hold");
    expect(fleet.best()).toEqual([]);
    expect(conduct()).toMatchObject({ disprovedClaims: 5, standing: "quarantined" });
    fleet.take(restore);
    expect(conduct()).toMatchObject({
      disprovedClaims: 5,
      consecutiveDisprovedClaims: 0,
      standing: "trusted",
    });
  });

  it("[PIP-07] a pack keeps the count of all its instances, also of those that are forgotten", () => {
    const fleet = started();
    const disproved = { kind: "claims", packId: "dev", instanceId: "a", held: false } as const;
    fleet.take(disproved);
    fleet.beat("b");
    fleet.take({ ...disproved, instanceId: "b" });
    expect(instanceInfo(fleet.state, "dev", "b", 0)).toMatchObject({
      conduct: { disprovedClaims: 1 },
      packDisprovedClaims: 2,
    });
    expect(fleet.take({ ...disproved, instanceId: "c" }).problem?.code).toBe("BATON-FLEET-005");
  });

  it("[DIS-14] an unknown instance is not counted", () => {
    const fleet = started();
    const disproved = { kind: "claims", packId: "dev", instanceId: "a", held: false } as const;
    expect(fleet.take({ ...disproved, instanceId: "b" }).problem?.code).toBe("BATON-FLEET-005");
    expect(fleet.result("b", true).problem?.code).toBe("BATON-FLEET-005");
  });

  it.each([
    { status: HealthStatus.HEALTHY, health: "HEALTHY" },
    { status: HealthStatus.DEGRADED, health: "DEGRADED" },
    { status: HealthStatus.UNHEALTHY, health: "UNHEALTHY" },
    { status: HealthStatus.UNSPECIFIED, health: "DEGRADED" },
    { status: HealthStatus.QUARANTINED, health: "UNHEALTHY" },
    { status: 17 as HealthStatus, health: "UNHEALTHY" },
  ])("[DIS-07] an instance that reports status $status is $health", ({ status, health }) => {
    const fleet = started();
    fleet.beat("a", { health: { status } });
    expect(instanceInfo(fleet.state, "dev", "a", 0)?.health).toBe(health);
    expect(fleet.best()).toEqual(health === "UNHEALTHY" ? [] : ["a"]);
  });

  it("[DIS-14] every transition of the table has been reached by the tests above", () => {
    expect(reached.missing).toEqual([]);
  });
});
