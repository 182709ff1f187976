/** Who gets the next attempt after one has failed, and what a quarantine outlasts. */
import {
  HealthStatus,
  ListAgentsRequestSchema,
  ListAuditEntriesRequestSchema,
  Outcome,
  PipelineStatus,
  RestoreAgentRequestSchema,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  Lives,
  planOf,
  reaches,
  silent,
  submit,
  TestAgent,
  testHub,
  VirtualClock,
} from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { openMemoryStore } from "../stores/index.ts";

const retry = { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } };
const onePlan = planOf(stages({ a: { timeout: { seconds: 60n }, handoffPolicy: { retry } } }));
const broken = () => ({ status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "out of order" } });

describe("a retry", () => {
  it("[DIS-14] goes to another instance than the one that failed", async () => {
    const hub = await testHub();
    const first = new TestAgent(hub, { packId: "dev", answer: broken });
    await first.receive("welcome");
    const second = new TestAgent(hub, { packId: "dev", instanceId: "dev-2" });
    await second.receive("welcome");
    const pipelineId = await submit(hub, { plan: onePlan });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect([first.envelopes.length, second.envelopes.length]).toEqual([1, 1]);
  });

  it("[DIS-13] goes to another instance than the one that hung", async () => {
    const clock = new VirtualClock();
    const hub = await testHub({ clock });
    const hung = new TestAgent(hub, { packId: "dev", answer: silent, maxTasks: 3 });
    await hung.receive("welcome");
    const second = new TestAgent(hub, { packId: "dev", instanceId: "dev-2", maxTasks: 3 });
    await second.receive("welcome");
    const pipelineId = await submit(hub, { plan: onePlan });
    await hung.envelope();
    for (let seconds = 0; seconds < 62; seconds += 10) {
      hung.beat();
      second.beat();
      await clock.pass(10_000);
    }
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect([hung.envelopes.length, second.envelopes.length]).toEqual([1, 1]);
  });

  it("goes to the same instance when there is no other", async () => {
    const hub = await testHub();
    let attempts = 0;
    const only = new TestAgent(hub, { packId: "dev", answer: () => (++attempts < 3 ? broken() : {}) });
    await only.receive("welcome");
    await reaches(hub, await submit(hub, { plan: onePlan }), PipelineStatus.COMPLETED);
    expect(only.envelopes.length).toBe(3);
  });
});

describe("a quarantine", () => {
  const invalid = () => ({ evidence: {} });
  const failing = { packId: "dev", answer: invalid };

  /** Lets an agent give three invalid results. */
  async function quarantine(hub: Hub, agent: TestAgent): Promise<string> {
    await agent.receive("welcome");
    const pipelineId = await submit(hub, { plan: onePlan });
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    return pipelineId;
  }

  async function statuses(hub: Hub): Promise<Record<string, HealthStatus | undefined>> {
    const { agents } = await hub.listAgents(ada, create(ListAgentsRequestSchema));
    return Object.fromEntries(
      agents.map(({ heartbeat }) => [heartbeat?.instanceId, heartbeat?.health?.status]),
    );
  }

  const restore = (instanceId: string) =>
    create(RestoreAgentRequestSchema, { packId: "dev", instanceId, reason: "fixed" });

  it("[DIS-14] outlasts a restart of the agent under another instance id, and is audited; a restore lifts it for good", async () => {
    const hub = await testHub();
    const first = new TestAgent(hub, { ...failing, instanceId: "run-1" });
    await quarantine(hub, first);
    first.vanish();
    const again = new TestAgent(hub, { packId: "dev", instanceId: "run-2" });
    await again.receive("welcome");
    expect(await statuses(hub)).toEqual({
      "run-1": HealthStatus.QUARANTINED,
      "run-2": HealthStatus.QUARANTINED,
    });
    const latest = create(ListAuditEntriesRequestSchema, { orderBy: "sequence desc", pageSize: 1 });
    const { entries } = await hub.listAuditEntries(ada, latest);
    expect(entries).toMatchObject([
      {
        action: "quarantined instance run-2",
        rationale: expect.stringContaining("run-1 of the same pack and key is quarantined"),
      },
    ]);
    const waiting = await submit(hub, { idempotencyKey: "key-2", plan: onePlan });

    await hub.restoreAgent(ada, restore("run-2"));
    await reaches(hub, waiting, PipelineStatus.COMPLETED);
    again.vanish();
    const third = new TestAgent(hub, { packId: "dev", instanceId: "run-3" });
    await third.receive("welcome");
    expect((await statuses(hub))["run-3"]).toBe(HealthStatus.HEALTHY);
  });

  it("[DIS-14] outlasts a restart of the hub and the agent, and leaves those alone that were there before", async () => {
    const lives = new Lives(openMemoryStore());
    const life = await lives.begin();
    const good = new TestAgent(life.hub, { packId: "dev", instanceId: "good", taskTypes: ["code"] });
    const bad = new TestAgent(life.hub, { ...failing, instanceId: "bad-1", taskTypes: ["code"] });
    await Promise.all([good.receive("welcome"), bad.receive("welcome")]);
    for (let n = 0; bad.envelopes.length < 3; n++) {
      const pipelineId = await submit(life.hub, { idempotencyKey: `key-${n}`, plan: onePlan });
      await reaches(life.hub, pipelineId, PipelineStatus.COMPLETED);
    }
    life.kill();
    const { hub } = await lives.begin();
    good.moveTo(hub);
    const again = new TestAgent(hub, { packId: "dev", instanceId: "bad-2", taskTypes: ["code"] });
    await again.receive("welcome");
    await expect
      .poll(() => statuses(hub))
      .toEqual({
        good: HealthStatus.HEALTHY,
        "bad-1": HealthStatus.QUARANTINED,
        "bad-2": HealthStatus.QUARANTINED,
      });
  });

  it("[DIS-14] reaches an idle agent that is back after the quarantine when the hub has restarted; a restore lifts it", async () => {
    const lives = new Lives(openMemoryStore());
    const life = await lives.begin();
    const good = new TestAgent(life.hub, { packId: "dev", instanceId: "good" });
    const bad = new TestAgent(life.hub, { ...failing, instanceId: "bad" });
    await Promise.all([good.receive("welcome"), bad.receive("welcome")]);
    life.kill();
    const { hub } = await lives.begin();
    bad.moveTo(hub);
    const pipelineId = await submit(hub, { plan: onePlan });
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    good.moveTo(hub);
    // It could as well be the bad one under a new name.
    const both = { good: HealthStatus.QUARANTINED, bad: HealthStatus.QUARANTINED };
    await expect.poll(() => statuses(hub)).toEqual(both);
    await hub.restoreAgent(ada, restore("good"));
    expect((await statuses(hub)).good).toBe(HealthStatus.HEALTHY);
  });

  it("[DIS-14] comes after three invalid results in a row, under however many instance ids", async () => {
    const clock = new VirtualClock();
    const hub = await testHub({ clock });
    const plan = planOf(stages({ a: { handoffPolicy: { retry: { ...retry, maxAttempts: 1 } } } }));
    for (const n of [1, 2, 3]) {
      const agent = new TestAgent(hub, { ...failing, instanceId: `run-${n}`, keyId: "author" });
      await agent.receive("welcome");
      await reaches(hub, await submit(hub, { idempotencyKey: `key-${n}`, plan }), PipelineStatus.PAUSED);
      agent.vanish();
      await clock.pass(60_000); // It is gone, and gets nothing any more.
    }
    expect((await statuses(hub))["run-3"]).toBe(HealthStatus.QUARANTINED);
  });

  it("[DIS-14] of one key does not touch an agent of the same pack with another key", async () => {
    const hub = await testHub();
    await quarantine(hub, new TestAgent(hub, { ...failing, instanceId: "theirs", keyId: "author" }));
    const other = new TestAgent(hub, { packId: "dev", instanceId: "ours", keyId: "somebody-else" });
    await other.receive("welcome");
    expect((await statuses(hub)).ours).toBe(HealthStatus.HEALTHY);
  });
});
