import { HealthStatus } from "@baton/contract";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import type { FleetInput } from "../decide/input.ts";
import { defaultFleetSettings, type FleetSettings } from "../settings.ts";
import { heartbeatOf, manifestOf } from "./fleet.ts";

/** An input, and how much time has passed before it. */
export interface Step {
  readonly afterMs: number;
  readonly input: FleetInput;
}

/** Low enough for short histories to reach every limit. */
export const tightSettings: FleetSettings = {
  ...defaultFleetSettings,
  quarantineAfter: 2,
  forgetAfterMs: 3_000,
  breaker: { errorThreshold: 2, windowMs: 5_000, halfOpenAfterMs: 1_000 },
  limits: { ...defaultFleetSettings.limits, instances: 4, profilesPerPack: 4, dispatches: 5 },
};

/** Mostly the first value, so that the steps of a history interact. */
function mostly<Value>(common: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(common) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

const packId = mostly("dev", "qa");
const packVersion = mostly("1.0.0", "2.0.0", "");
const instanceId = fc.constantFrom("a", "b", "c");
const dispatchId = fc.constantFrom("d1", "d2", "d3", "d4", "d5", "d6");
const instance = { packId, instanceId };
const tools = fc.subarray(["git", "npm"]);
const statuses = Object.values(HealthStatus).filter(Number.isInteger) as HealthStatus[];
const error = fc.constantFrom("", "these checks failed: tests");
const count = fc.integer({ min: -1, max: 4 });

const register = fc
  .record({ packId, packVersion: fc.constantFrom("1.0.0", "2.0.0"), description: fc.constantFrom("", "x") })
  .map((init): FleetInput => ({ kind: "register", manifest: manifestOf(init) }));

const heartbeat = fc
  .record({
    ...instance,
    packVersion,
    status: mostly(HealthStatus.HEALTHY, ...statuses),
    activeTasks: count,
    maxTasks: count,
    latencyMs: fc.constantFrom(0, 100, 250),
    available: tools,
    degraded: tools,
    ttlMs: fc.constantFrom(undefined, 1_000, 2_500, 4_000),
    sentMs: fc.option(fc.nat(60_000), { nil: undefined, freq: 4 }),
  })
  .map(({ packId, instanceId, packVersion, status, available, degraded, latencyMs, ...rest }): FleetInput => {
    const { activeTasks, maxTasks, ttlMs, sentMs } = rest;
    const beat = heartbeatOf(instanceId, {
      packId,
      packVersion,
      health: { status, degradedTools: degraded, avgLatency1m: durationFromMs(latencyMs) },
      capacity: { activeTasks, maxTasks },
      availableTools: available,
      ...(ttlMs !== undefined && { leaseTtl: durationFromMs(ttlMs) }),
      ...(sentMs !== undefined && { heartbeatAt: timestampFromMs(sentMs) }),
    });
    return { kind: "heartbeat", heartbeat: beat };
  });

const kind = <Kind extends FleetInput["kind"]>(name: Kind) => fc.constant(name);
const dispatched = { kind: kind("dispatched"), ...instance, dispatchId, taskType: fc.constantFrom("x", "y") };
const outcome = fc.constantFrom("succeeded" as const, "failed" as const, "withdrawn" as const);
const settled = { kind: kind("settled"), dispatchId, outcome };
const result = { kind: kind("result"), ...instance, valid: mostly(false, true), error: mostly("bad", "") };
const restore = { kind: kind("restore"), ...instance, by: mostly("kim", ""), reason: fc.constant("ok") };

const step: fc.Arbitrary<Step> = fc.record({
  afterMs: mostly(0, 1, 400, 1_500, 4_000),
  input: fc.oneof(
    { weight: 1, arbitrary: register },
    { weight: 6, arbitrary: heartbeat },
    { weight: 5, arbitrary: fc.record(dispatched) },
    { weight: 3, arbitrary: fc.record(settled) },
    { weight: 2, arbitrary: fc.record(result) },
    { weight: 1, arbitrary: fc.record(restore) },
    { weight: 1, arbitrary: fc.record({ kind: kind("overturned"), ...instance, dispatchId, error }) },
    { weight: 1, arbitrary: fc.record({ kind: kind("tick") }) },
    { weight: 1, arbitrary: fc.record({ kind: kind("detach"), ...instance }) },
    { weight: 1, arbitrary: fc.record({ kind: kind("claims"), ...instance, held: mostly(false, true) }) },
  ),
});

/** A history of two packs, of which one is registered. */
export const anyHistory: fc.Arbitrary<readonly Step[]> = fc
  .array(step, { maxLength: 80, size: "max" })
  .map((steps) => [{ afterMs: 0, input: { kind: "register", manifest: manifestOf() } }, ...steps]);
