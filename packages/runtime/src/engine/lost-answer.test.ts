import { batch } from "@baton/conformance/store/rows.ts";
import { AbortPipelineRequestSchema, PipelineStatus, WatchEventsRequestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  dispatchOf,
  eventually,
  noRoom,
  read,
  refusalOf,
  settles,
  silent,
  submit,
  TestAgent,
  TestStore,
  task,
  testHub,
} from "../../testing/index.ts";
import { isTaken, thought, wordsSeen, working } from "../agents/testing/reports.ts";
import { expectNoneTwice } from "../agents/testing/restarts.ts";
import type { Batch } from "../ports/store.ts";
import { openMemoryStore } from "../stores/index.ts";

/** Stores a batch with transitions or events, and once reports that it failed. */
class ForgetfulStore extends TestStore {
  losesAnAnswer = false;

  protected override async store(batch: Batch): Promise<void> {
    await super.store(batch);
    if (!this.losesAnAnswer || (batch.transitions.length === 0 && batch.events.length === 0)) return;
    this.losesAnAnswer = false;
    throw noRoom();
  }
}

const quickly = { limits: { retryStore: { firstMs: 1, maxMs: 10 } }, onProblem: () => {} };

/** A pipeline that was aborted while its agent worked. The store has the batch, and reported that it failed. */
async function abortedWithoutAnswer() {
  const store = new ForgetfulStore(openMemoryStore());
  const hub = await testHub({ store, ...quickly });
  const dev = new TestAgent(hub, { packId: "dev", answer: silent });
  const pipelineId = await submit(hub);
  const dispatchId = dispatchOf(await dev.envelope());
  const abort = async () => {
    store.losesAnAnswer = true;
    const request = create(AbortPipelineRequestSchema, { pipelineId, reason: "so" });
    expect(await refusalOf(hub.abortPipeline(ada, request))).toMatchObject({ kind: "unavailable" });
    await eventually("the hub to see it", async () => {
      return (await read(hub, pipelineId)).status === PipelineStatus.ABORTED;
    });
  };
  return { store, hub, dev, dispatchId, abort };
}

describe("a batch that is stored although its commit failed", () => {
  it("[PIP-11] is executed, and an attempt that it ended is not reported as running", async () => {
    const { store, hub, dev, dispatchId, abort } = await abortedWithoutAnswer();
    await abort();
    expect((await dev.receive("cancel")).dispatchId).toBe(dispatchId);
    await eventually("an empty outbox", async () => (await store.outbox()).length === 0);
    dev.vanish();
    const back = new TestAgent(hub, { packId: "dev", answer: silent }, [dispatchId]);
    expect((await back.receive("cancel")).explanation).toBe("the hub no longer waits for this attempt");
  });

  it("[TUR-04] is not published again when it has events of an agent", async () => {
    const store = new ForgetfulStore(openMemoryStore());
    const { hub, agent, dispatchId } = await working({ store, ...quickly });
    store.losesAnAnswer = true;
    agent.say(thought(0, "one ", true), dispatchId);
    await isTaken(agent);
    agent.say(thought(1, "two", true), dispatchId);
    await isTaken(agent);
    expect(store.losesAnAnswer).toBe(false);
    expect(await wordsSeen(hub)).toBe("one two");
    await expectNoneTwice(hub);
  });

  it("[TUR-04] is not published again, nor are the events of the batch behind it", async () => {
    const store = new ForgetfulStore(openMemoryStore());
    const { hub, agent, dispatchId } = await working({ store, ...quickly });
    store.shut();
    store.losesAnAnswer = true;
    agent.say(thought(0, "one ", true), dispatchId);
    await eventually("a transaction", () => store.committing === 1);
    const refused = Array.from({ length: 12 }, (_, n) =>
      refusalOf(hub.submitTask(ada, task({ idempotencyKey: `behind-${n}` }))),
    );
    agent.say(thought(1, "two", true), dispatchId);
    await eventually("a second", () => store.committing === 2);
    store.open();
    await Promise.all(refused);
    await eventually("the hub to be back", () => hub.whyNotReady() === undefined);
    await isTaken(agent);
    expect(await wordsSeen(hub)).toBe("one two");
    await expectNoneTwice(hub);
  });

  it("[PIP-11] leaves no gap in the numbers of the batches", async () => {
    const store = new ForgetfulStore(openMemoryStore());
    const { hub, agent, dispatchId } = await working({ store, ...quickly });
    const before = await store.lastBatch("hub");
    store.losesAnAnswer = true;
    agent.say(thought(0, "one ", true), dispatchId);
    await isTaken(agent);
    agent.say(thought(1, "two", true), dispatchId);
    await isTaken(agent);
    const sequences = store.batches.map(({ id }) => id.sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    expect(await store.lastBatch("hub")).toBe(sequences.length);
    expect(sequences.length).toBeGreaterThan(before + 1);
    await expectNoneTwice(hub);
  });

  it("[PIP-13] is repeated under the next number when another process has written in the name of the hub", async () => {
    const inner = openMemoryStore();
    const store = new TestStore(inner);
    const hub = await testHub({ store, ...quickly });
    await submit(hub);
    await eventually("an idle hub", () => store.committing === 0);
    const other = (await inner.lastBatch("hub")) + 1;
    await inner.commit(batch({ id: { writer: "hub", sequence: other } }));
    const late = task({ idempotencyKey: "late" });
    await refusalOf(hub.submitTask(ada, late));
    await eventually("the hub to be back", () => hub.whyNotReady() === undefined);
    const { pipeline } = await hub.submitTask(ada, late);
    expect(pipeline?.pipelineId).toBeDefined();
    expect(store.batches.some(({ id }) => id.sequence === other + 1)).toBe(true);
  });

  it("[PIP-11] is published to watchers", async () => {
    const { hub, abort } = await abortedWithoutAnswer();
    const enough = new AbortController();
    const caughtUp = Promise.withResolvers<void>();
    const watch = async () => {
      for await (const { message } of hub.watchEvents(ada, create(WatchEventsRequestSchema), enough.signal)) {
        if (message.case === "caughtUp") caughtUp.resolve();
        const payload = message.case === "record" ? message.value.event?.payload : undefined;
        if (payload?.case === "taskTransition" && payload.value.toState === "ABORTED") return "ABORTED";
      }
      return "nothing";
    };
    const seen = watch();
    await caughtUp.promise;
    await abort();
    expect(await settles(seen, "the event of the abort").finally(() => enough.abort())).toBe("ABORTED");
  });
});
