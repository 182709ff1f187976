import { AuditEventType } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { defaultFleetSettings } from "../settings.ts";
import { evolveFleet } from "../state/evolve-fleet.ts";
import { emptyFleet, packOf, pinOf } from "../state/fleet-state.ts";
import { decideFleet } from "./decide-fleet.ts";
import type { FleetInput } from "./input.ts";

function fleet(pinnedTools = 10) {
  const state = emptyFleet();
  packOf(state, "forecaster");
  const settings = { ...defaultFleetSettings, limits: { ...defaultFleetSettings.limits, pinnedTools } };
  const decide = (input: FleetInput, nowMs = 1) => {
    const decision = decideFleet(state, input, { nowMs, orchestratorVersion: "1.0.0", settings });
    for (const record of decision.records) evolveFleet(state, record);
    return decision;
  };
  const see = (digest: string, name = "geo_weather") =>
    decide({ kind: "pin-tools", packId: "forecaster", tools: [{ name, digest, json: `"${digest}"` }] });
  const accept = (digest: string, reason = "read it") =>
    decide({ kind: "accept-tool", packId: "forecaster", name: "geo_weather", digest, by: "ada", reason });
  return { state, decide, see, accept, pin: () => pinOf(state, "forecaster", "geo_weather") };
}

describe("the definition of a tool", () => {
  it("[SAC-08] is pinned when it is first seen, and nothing changes when it is seen again", () => {
    const { see, pin } = fleet();
    expect(see("a").records).toHaveLength(1);
    expect(see("a").records).toEqual([]);
    expect(pin()).toMatchObject({ accepted: { digest: "a" }, by: "" });
  });

  it("[SAC-08] waits when it has changed, is audited once, and is accepted by what was read", () => {
    const { see, accept, pin } = fleet();
    see("a");
    expect(see("b").audit.map(({ eventType }) => eventType)).toEqual([AuditEventType.TOOL_CHANGED]);
    expect(see("b").audit).toEqual([]);
    expect(accept("a").problem?.code).toBe("BATON-FLEET-013");
    expect(accept("b", " ").problem?.at).toBe("reason");
    expect(accept("b").audit.map(({ eventType }) => eventType)).toEqual([AuditEventType.TOOL_ACCEPTED]);
    expect(pin()).toEqual({
      ...{ packId: "forecaster", name: "geo_weather", accepted: { digest: "b", json: '"b"' } },
      ...{ by: "ada", atMs: 1 },
    });
    expect(accept("b").problem?.message).toContain("has not changed");
  });

  it("[SAC-08] that goes back to the accepted one waits no longer", () => {
    const { see, pin } = fleet();
    for (const digest of ["a", "b", "a"]) see(digest);
    expect(pin()).toMatchObject({ accepted: { digest: "a" } });
    expect(pin()?.changed).toBeUndefined();
  });

  it("[SAC-08] is refused for an unknown pack, and beyond the limit", () => {
    const { see, decide } = fleet(1);
    const tools = [{ name: "x", digest: "a", json: "{}" }];
    expect(decide({ kind: "pin-tools", packId: "other", tools }).problem?.code).toBe("BATON-FLEET-004");
    see("a");
    expect(see("a", "another").problem?.code).toBe("BATON-FLEET-006");
  });
});
