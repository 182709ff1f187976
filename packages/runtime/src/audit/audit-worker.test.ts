import { join } from "node:path";
import { PipelineStatus } from "@baton/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, reaches, submit, TestAgent, testHub } from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { openForTest, scratchForTest } from "../stores/sqlite/testing/scratch.ts";
import {
  adaptiveAuditWorker,
  inlineAuditWorker,
  inlineEntryLimit,
  threadAuditWorker,
} from "./audit-worker.ts";
import { emptyReached } from "./walk-record.ts";

async function work(hub: Hub, tasks: number): Promise<void> {
  for (let task = 0; task < tasks; task++) {
    const pipelineId = await submit(hub, { idempotencyKey: `task-${task}-of-${tasks}` });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  }
}

describe("an audit worker in a process of its own", () => {
  it("[OBS-04] does at once what is short, what is long in a thread, and finds the same as both", async () => {
    const directory = scratchForTest();
    const store = await openForTest(directory);
    const hub = await testHub({ store });
    new TestAgent(hub, { packId: "dev", maxTasks: 10 });
    onTestFinished(() => hub.drain(0).then(() => store.close()));
    const thread = threadAuditWorker(directory);
    const beside = adaptiveAuditWorker(store, directory);
    const without = adaptiveAuditWorker(store, join(directory, "nothing is here"));
    onTestFinished(async () => {
      for (const auditWorker of [thread, beside, without]) await auditWorker.close();
    });
    const from = emptyReached(ada.tenantId);

    await work(hub, 2);
    expect(structuredClone(await beside.heads())).toEqual(await thread.heads());
    expect(await beside.ends()).toEqual(await thread.ends());
    const short = await without.grow(from, 10_000);
    // What comes from a thread is a copy, with plain bytes.
    expect(structuredClone(short)).toEqual(await thread.grow(from, 10_000));
    expect(short.fault).toBeUndefined();

    await work(hub, 60);
    const [{ sequence } = { sequence: 0n }] = await beside.heads();
    expect(sequence).toBeGreaterThan(inlineEntryLimit);
    await expect(without.grow(from, 10_000)).rejects.toThrow();
    const long = await beside.grow(from, 10_000);
    expect(long).toEqual(structuredClone(await inlineAuditWorker(store).grow(from, 10_000)));
    expect(long.head.sequence).toBe(sequence);
    // From where it came to, the rest is short again.
    expect((await without.grow(long, 10_000)).head).toEqual(long.head);
  });
});
