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
import { isTaken, thought, wordsSeen, working } from "../agents/testing/told.ts";
import { expectNoneTwice } from "../agents/testing/told-in-lives.ts";
import type { Batch } from "../ports/store.ts";
import { openMemoryStore } from "../stores/index.ts";

/** Stores how a pipeline moved, or what was told of it, and says once that it has not. */
class ForgetfulStore extends TestStore {
  losesAnAnswer = false;

  protected override async store(batch: Batch): Promise<void> {
    await super.store(batch);
    if (!this.losesAnAnswer || (batch.transitions.length === 0 && batch.events.length === 0)) return;
    this.losesAnAnswer = false;
    throw noRoom();
  }
}

const quickly = { limits: { retryStoreMs: { first: 1, most: 10 } }, onProblem: () => {} };

/** A pipeline that was aborted while its agent worked; the store has it, and the hub was told that it has not. */
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

describe("a batch that is stored though the hub was told that it is not", () => {
  it("[PIP-11] is carried out, and what it ended is not taken for work that is under way", async () => {
    const { store, hub, dev, dispatchId, abort } = await abortedWithoutAnswer();
    await abort();
    expect((await dev.hears("cancel")).dispatchId).toBe(dispatchId);
    await eventually("an empty outbox", async () => (await store.outbox()).length === 0);
    dev.vanish();
    const back = new TestAgent(hub, { packId: "dev", answer: silent }, [dispatchId]);
    expect((await back.hears("cancel")).explanation).toBe("the hub no longer waits for this attempt");
  });

  it("[TUR-04] is not told again when it is what an agent told", async () => {
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

  it("[TUR-04] is not told again, nor is what was on its way behind it", async () => {
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

  it("[PIP-11] is told to those who watch", async () => {
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
