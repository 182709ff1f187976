/**
 * What a routing decision costs, by the size of the fleet (DIS-07):
 * `node bench/kernel/fleet.ts`. Each size takes turns with the smallest one, so that a slow moment slows both.
 */
import {
  type AgentHeartbeat,
  AgentHeartbeatSchema,
  AgentManifestSchema,
  HealthStatus,
  RiskTier,
} from "@baton/contract";
import {
  decideFleet,
  emptyFleet,
  evolveFleet,
  type FleetInput,
  type RouteQuestion,
  route,
  viewFleet,
} from "@baton/kernel";
import { testPolicy } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { bound, compare, printTable, reportBounds } from "../measure.ts";

const smallest = 100;
const larger = [1_000, 10_000, 100_000];
const mostTimes = 3;
const packId = "senior-ts-dev";

/** One message for all: the fleet keeps none, and those of a real fleet do not lie about in its memory either. */
const message = create(AgentHeartbeatSchema, {
  packId,
  packVersion: "1.0.0",
  health: { status: HealthStatus.HEALTHY },
  capacity: { maxTasks: 4 },
  leaseTtl: durationFromMs(600_000),
  availableTools: ["docker"],
});

const policy = testPolicy({ routes: { code: { allowedPackIds: [packId] } } });
const question: Omit<RouteQuestion, "nowMs"> = {
  taskType: "code",
  riskTier: RiskTier.NORMAL,
  requiredTools: ["git", "docker"],
  schemaVersion: "1.0.0",
  orchestratorVersion: "1.0.0",
  queueDepth: 0,
};

/** Busier or idler, slower or faster than before, so that the instance moves in the order. */
function heartbeat(at: number, seed: number): AgentHeartbeat {
  const mixed = Math.imul(seed, 0x9e3779b1) >>> 0;
  message.instanceId = `${packId}-${at}`;
  if (message.capacity) message.capacity.activeTasks = mixed % 5;
  if (message.health) message.health.avgLatency1m = durationFromMs(100 + (mixed % 9973));
  return message;
}

/** A fleet of one pack, and what is done with it: a routing decision, or a heartbeat and then the decision. */
function fleetOf(size: number): { readonly look: () => unknown; readonly live: () => unknown } {
  const state = emptyFleet();
  const view = viewFleet(state);
  let nowMs = 1_767_225_600_000;
  const take = (input: FleetInput) => {
    const { records, problem } = decideFleet(state, input, { nowMs, orchestratorVersion: "1.0.0" });
    if (problem) throw new Error(problem.message);
    for (const record of records) evolveFleet(state, record);
  };
  const providedTools = ["git", "node", "npm"];
  const speaks = { supportedSchemaVersions: ["^1.0.0"], acceptedRiskTiers: ["RISK_TIER_NORMAL"] };
  const versions = { packVersion: "1.0.0", capabilitySchemaVersion: "1.0.0" };
  take({
    kind: "register",
    manifest: create(AgentManifestSchema, { packId, ...versions, providedTools, interface: speaks }),
  });
  for (let at = 0; at < size; at++) take({ kind: "heartbeat", heartbeat: heartbeat(at, at) });

  const look = () => {
    const answer = route({ ...question, nowMs }, policy, view);
    if (answer.kind !== "routed") throw new Error(answer.refusal.reason);
    return answer;
  };
  let turn = 0;
  const live = () => {
    turn = (turn + 7919) % size; // A prime: neighbours in time are far apart in the fleet.
    // The clock makes a full round of heartbeats in a minute, however large the fleet is: no lease runs out.
    nowMs += 60_000 / size;
    take({ kind: "heartbeat", heartbeat: heartbeat(turn, turn * 31 + Math.floor(nowMs)) });
    return look();
  };
  return { look, live };
}

export function benchFleet(): void {
  console.log(`a routing decision, beside one in a fleet of ${smallest}\n`);
  const floor = fleetOf(smallest);
  const rows = larger.flatMap((size) => {
    const fleet = fleetOf(size);
    return (["live", "look"] as const).map((what) => {
      const { ns, floorNs, ratio } = compare(fleet[what], floor[what]);
      const work = what === "live" ? "a heartbeat, then a routing decision" : "a routing decision";
      const instances = size.toLocaleString("en");
      bound(`${work} with ${instances} instances, times that with ${smallest}`, ratio, mostTimes);
      const us = (value: number) => (value / 1000).toFixed(2);
      return { work, instances, us: us(ns), [`us with ${smallest}`]: us(floorNs), ratio: ratio.toFixed(2) };
    });
  });
  printTable(rows);
}

if (import.meta.main) {
  benchFleet();
  reportBounds();
}
