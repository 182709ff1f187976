import { RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { defaultFleetSettings } from "../settings.ts";
import { Fleet, manifestOf } from "../testing/fleet.ts";

describe("registering several manifests", () => {
  const all = (...versions: readonly (readonly [string, string, string?])[]) => ({
    kind: "register-all" as const,
    manifests: versions.map(([packId, packVersion, description = ""]) =>
      manifestOf({ packId, packVersion, description }),
    ),
  });

  it("[DIS-01] registers all or none, and names the refused one", () => {
    const fleet = new Fleet();
    fleet.take(all(["dev", "1.0.0"]));
    const { problem, records } = fleet.take(all(["ada", "1.0.0"], ["dev", "1.0.0", "other"]));
    expect(problem).toMatchObject({ code: "BATON-FLEET-003", at: "manifests[1].pack_version" });
    expect([records, fleet.view.packIds()]).toEqual([[], ["dev"]]);
    expect(fleet.take(all(["ada", "1.0.0"], ["dev", "1.0.0"])).records).toHaveLength(1);
  });

  it("[DIS-01] checks each against those registered with it", () => {
    const fleet = new Fleet();
    const twice = fleet.take(all(["ada", "1.0.0"], ["ada", "1.0.0", "other"]));
    expect(twice.problem).toMatchObject({ code: "BATON-FLEET-003", at: "manifests[1].pack_version" });
    const { limits } = defaultFleetSettings;
    const tight = new Fleet({ limits: { ...limits, packs: 1 } });
    expect(tight.take(all(["ada", "1.0.0"], ["dev", "1.0.0"])).problem?.code).toBe("BATON-FLEET-006");
    expect(tight.view.packIds()).toEqual([]);
  });
});

describe("registering a manifest", () => {
  it("[DIS-02] registers a pack that is made for this hub", () => {
    const fleet = new Fleet();
    expect(fleet.view.knowsPack("dev")).toBe(false);
    expect(fleet.register().records).toMatchObject([{ kind: "manifest-registered" }]);
    expect(fleet.view.knowsPack("dev")).toBe(true);
    expect(fleet.view.packIds()).toEqual(["dev"]);
  });

  it("[DIS-02] refuses a manifest that breaks a rule of the contract, with the field", () => {
    const { problem, records } = new Fleet().register({ packId: "" });
    expect(problem).toMatchObject({ code: "BATON-FLEET-001", at: "manifest.pack_id" });
    expect(records).toEqual([]);
  });

  it.each([
    {
      minOrchestratorVersion: "1.4.1",
      reason: "the pack needs orchestrator 1.4.1 or newer, and this is 1.4.0",
    },
    {
      minOrchestratorVersion: "1.5.0-rc.1",
      reason: "the pack needs orchestrator 1.5.0-rc.1 or newer, and this is 1.4.0",
    },
    { minOrchestratorVersion: "newest", reason: '"newest" is not a version: expected MAJOR.MINOR.PATCH' },
  ])(
    "[DIS-02] refuses min_orchestrator_version $minOrchestratorVersion",
    ({ minOrchestratorVersion, reason }) => {
      const { problem } = new Fleet().register({ minOrchestratorVersion });
      expect(problem).toMatchObject({
        code: "BATON-FLEET-002",
        at: "manifest.min_orchestrator_version",
        message: reason,
      });
    },
  );

  it.each(["1.4.0", "1.4.0-rc.9", "0.1.0", ""])(
    "[DIS-02] admits min_orchestrator_version %j on 1.4.0",
    (minOrchestratorVersion) => {
      expect(new Fleet().register({ minOrchestratorVersion }).problem).toBeUndefined();
    },
  );

  it("[DIS-02] admits capabilities of the same major version, and refuses another or none", () => {
    expect(new Fleet().register({ capabilitySchemaVersion: "1.9.0" }).problem).toBeUndefined();
    for (const capabilitySchemaVersion of ["2.0.0", "0.9.0", "one", ""]) {
      const { problem } = new Fleet().register({ capabilitySchemaVersion });
      expect(problem).toMatchObject({ code: "BATON-FLEET-002", at: "manifest.capability_schema_version" });
    }
    const newer = new Fleet({ capabilitySchemaVersion: "2.1.0" });
    expect(newer.register({ capabilitySchemaVersion: "2.0.0" }).problem).toBeUndefined();
  });

  it("[DIS-02] ignores tasks: a pack that accepts none is admitted", () => {
    expect(new Fleet().register({ safetyTier: RiskTier.UNSPECIFIED }).problem).toBeUndefined();
  });

  it.each([
    [RiskTier.LOW, ["RISK_TIER_LOW", "RISK_TIER_CRITICAL"], 1, "CRITICAL is above safety_tier LOW"],
    [RiskTier.NORMAL, ["critical"], 0, "is above safety_tier NORMAL"],
    [RiskTier.CRITICAL, ["LOW", "HUGE"], 1, '"HUGE" is not a risk tier'],
  ])(
    "[DIS-02] refuses accepted_risk_tiers above safety_tier, and what is no tier: %i %j",
    (safetyTier, acceptedRiskTiers, position, reason) => {
      const { problem } = new Fleet().register({ safetyTier, interface: { acceptedRiskTiers } });
      expect(problem).toMatchObject({
        code: "BATON-FLEET-001",
        at: `manifest.interface.accepted_risk_tiers[${position}]`,
      });
      expect(problem?.message).toContain(reason);
    },
  );

  it("[DIS-01] accepts the same content again without a record, whatever the order of keys in its schema", () => {
    const fleet = new Fleet();
    fleet.register({ dataSchema: { type: "object", required: ["a"] } });
    const again = fleet.register({ dataSchema: { required: ["a"], type: "object" } });
    expect(again).toEqual({ records: [], audit: [] });
  });

  it("[DIS-01] refuses the same version with other content", () => {
    const fleet = new Fleet();
    fleet.register({ dataSchema: { enum: ["a", "b"] } });
    const changes = [
      [{ dataSchema: { enum: ["b", "a"] } }, "data_schema"],
      [{ description: "new" }, "data_schema, description"],
      [
        { dataSchema: { enum: ["a", "b"] }, interface: { maxTaskDuration: { seconds: 9n } } },
        "interface.max_task_duration",
      ],
    ] satisfies readonly (readonly [Parameters<typeof fleet.register>[0], string])[];
    for (const [changed, differs] of changes) {
      expect(fleet.register(changed).problem).toMatchObject({
        code: "BATON-FLEET-003",
        message: `version 1.0.0 of pack "dev" is known with other content; what differs: ${differs}`,
      });
    }
    expect(fleet.register({ packVersion: "1.0.1", description: "new" }).problem).toBeUndefined();
  });

  it("[DIS-02] refuses more packs, versions, tools, bytes and letters than are allowed", () => {
    const limits = { ...defaultFleetSettings.limits, packs: 1, versionsPerPack: 2, toolsPerInstance: 2 };
    const fleet = new Fleet({ limits: { ...limits, nameLength: 10, manifestBytes: 200 } });
    expect(fleet.register().problem).toBeUndefined();
    expect(fleet.register({ packVersion: "2.0.0" }).problem).toBeUndefined();
    const refused = [
      { packVersion: "3.0.0" },
      { packId: "qa" },
      { packVersion: "3.0.0", providedTools: ["a", "b", "c"] },
      { packVersion: "3.0.0", providedTools: ["a name that is long"] },
      { packVersion: "3.0.0", description: "x".repeat(300) },
    ];
    for (const manifest of refused) {
      expect(fleet.register(manifest).problem).toMatchObject({ code: "BATON-FLEET-006" });
    }
  });
});
