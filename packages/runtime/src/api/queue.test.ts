/** What a manifest states about its tasks, and in which order tasks get the agents there are. */
import { ListAgentsRequestSchema, PipelineStatus, Priority } from "@baton/contract";
import { ageingMs } from "@baton/kernel";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  ada,
  calm,
  planOf,
  reaches,
  refusalOf,
  silent,
  submit,
  TestAgent,
  testHub,
  VirtualClock,
} from "../../testing/index.ts";
import type { Hub } from "./hub.ts";

describe("a manifest", () => {
  it("[DIS-07] gets no more tasks at once than its max_concurrent_tasks, whatever the instance reports", async () => {
    const hub = await testHub();
    const spoken = { maxConcurrentTasks: 1 };
    const agent = new TestAgent(hub, { packId: "dev", maxTasks: 3, spoken, answer: silent });
    await agent.receive("welcome");
    for (const n of [1, 2]) await submit(hub, { idempotencyKey: `key-${n}` });
    const first = await agent.envelope();
    await calm();
    expect(agent.envelopes).toHaveLength(1);
    const { agents } = await hub.listAgents(ada, create(ListAgentsRequestSchema));
    expect(agents[0]?.heartbeat?.capacity?.maxTasks).toBe(1);
    agent.answer(first);
    await agent.envelope(2);
  });

  it("[DIS-13] ends an attempt after its max_task_duration, which the envelope states", async () => {
    const clock = new VirtualClock();
    const hub = await testHub({ clock });
    const spoken = { maxTaskDuration: durationFromMs(5_000) };
    const agent = new TestAgent(hub, { packId: "dev", spoken, answer: silent });
    await submit(hub);
    const { execution } = await agent.envelope();
    expect(execution?.timeout).toMatchObject({ seconds: 5n });
    await clock.pass(5_001);
    expect(await agent.receive("cancel")).toMatchObject({ dispatchId: execution?.dispatchId });
  });

  it("[DIS-07] may state its schema versions as a range with blanks", async () => {
    const hub = await testHub();
    const spoken = { supportedSchemaVersions: [">= 1.0.0 < 2"] };
    await new TestAgent(hub, { packId: "dev", spoken }).receive("welcome");
    await reaches(hub, await submit(hub), PipelineStatus.COMPLETED);
  });

  it("[DIS-02] is refused with a range that is none, by its place", async () => {
    const hub = await testHub();
    const spoken = { supportedSchemaVersions: ["^1.0.0", "newer than 1"] };
    const { code, violations } = await refusalOf(new TestAgent(hub, { packId: "dev", spoken }).ended);
    expect([code, violations[0]?.field]).toEqual([
      "BATON-FLEET-001",
      "manifest.interface.supported_schema_versions[1]",
    ]);
  });
});

describe("tasks that wait for an agent", () => {
  async function busyHub() {
    const clock = new VirtualClock();
    const hub = await testHub({ clock });
    const agent = new TestAgent(hub, { packId: "dev", answer: silent });
    await agent.receive("welcome");
    await queue(hub, "busy", Priority.CRITICAL);
    await agent.envelope();
    return { clock, hub, agent };
  }

  function queue(hub: Hub, name: string, priority: Priority): Promise<string> {
    return submit(hub, {
      ...{ idempotencyKey: name, priority },
      contract: { taskId: name, title: name, acceptanceCriteria: ["it is done"] },
    });
  }

  /** Answers one after another, and says in which order they came. */
  async function served(agent: TestAgent, count: number): Promise<readonly string[]> {
    const order: string[] = [];
    for (let n = 1; n <= count + 1; n++) {
      const envelope = await agent.envelope(n);
      order.push(envelope.contract?.taskId ?? "");
      agent.answer(envelope);
    }
    return order.slice(1);
  }

  it("[SAP-08] are served by priority, and those of the same priority in the order in which they came", async () => {
    const { hub, agent } = await busyHub();
    await queue(hub, "low", Priority.LOW);
    await queue(hub, "normal", Priority.NORMAL);
    await queue(hub, "high", Priority.HIGH);
    await queue(hub, "unstated", Priority.UNSPECIFIED);
    await queue(hub, "critical", Priority.CRITICAL);
    const order = ["critical", "high", "normal", "unstated", "low"];
    expect(await served(agent, order.length)).toEqual(order);
  });

  it("[SAP-08] grow older: one that has waited long goes before a more urgent one that comes later", async () => {
    const { clock, hub, agent } = await busyHub();
    await queue(hub, "low", Priority.LOW);
    for (let passedMs = 0; passedMs <= 2 * ageingMs; passedMs += 10_000) {
      agent.beat();
      await clock.pass(10_000);
    }
    await queue(hub, "high", Priority.HIGH);
    await queue(hub, "critical", Priority.CRITICAL);
    const order = ["critical", "low", "high"];
    expect(await served(agent, order.length)).toEqual(order);
  });
});

describe("a timeout", () => {
  it("[DIS-13] of a task that names a type ends its attempt", async () => {
    const clock = new VirtualClock();
    const hub = await testHub({ clock });
    const agent = new TestAgent(hub, { packId: "dev", answer: silent });
    await submit(hub, { timeout: durationFromMs(3_000) });
    await agent.envelope();
    await clock.pass(3_001);
    await agent.receive("cancel");
  });

  it("is refused with a pipeline, whose stages have their own", async () => {
    const hub = await testHub();
    const plan = planOf(stages({ a: {} }));
    const refused = await refusalOf(submit(hub, { plan, timeout: durationFromMs(3_000) }));
    expect([refused.code, refused.violations[0]?.field]).toEqual(["BATON-SUBMIT-004", "timeout"]);
  });
});
