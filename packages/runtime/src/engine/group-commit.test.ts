import {
  GetPipelineRequestSchema,
  PausePipelineRequestSchema,
  PipelineStatus,
  ResumePipelineRequestSchema,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  calm,
  eventually,
  reaches,
  read,
  settles,
  silent,
  submit,
  TestAgent,
  TestStore,
  task,
  testHub,
} from "../../testing/index.ts";
import { openMemoryStore } from "../stores/index.ts";

async function hubOnTestStore() {
  const store = new TestStore(openMemoryStore());
  // A tick of the fleet would be one more input of a transaction.
  return { store, hub: await testHub({ store, limits: { tickMs: 3_600_000 } }) };
}

describe("one transaction for all that is ready (D2)", () => {
  it("[OBS-02] stores a hundred submissions in few transactions, each with its audit entries", async () => {
    const { store, hub } = await hubOnTestStore();
    const before = store.batches.length;
    store.shut();
    const submitted = Array.from({ length: 100 }, (_, n) => submit(hub, { idempotencyKey: `key-${n}` }));
    await eventually("a transaction", () => store.committing > 0);
    await calm(20);
    store.open();
    await Promise.all(submitted);
    const batches = store.batches.slice(before);
    // The first is on its way while the others come in.
    expect(batches.length).toBeLessThanOrEqual(3);
    expect(batches.flatMap(({ transitions }) => transitions)).toHaveLength(100);
    for (const { transitions, audit } of batches) {
      const audited = new Set(audit.map(({ pipelineId }) => pipelineId));
      for (const { pipelineId } of transitions) expect(audited).toContain(pipelineId);
    }
  });

  it("[OBS-02] begins a transaction with one input when there is one, and with 24 at the least while more wait", async () => {
    const { store, hub } = await hubOnTestStore();
    const before = store.batches.length;
    await submit(hub, { idempotencyKey: "alone" });
    const together = Array.from({ length: 100 }, (_, n) => submit(hub, { idempotencyKey: `key-${n}` }));
    await Promise.all(together);
    const [alone, first] = store.batches.slice(before);
    expect(alone?.transitions).toHaveLength(1);
    expect(first?.transitions).toHaveLength(24);
  });

  it("commits a second transaction while one is stored when it is large enough, and never a third", async () => {
    const { store, hub } = await hubOnTestStore();
    const before = store.batches.length;
    store.shut();
    const first = submit(hub, { idempotencyKey: "first" });
    await eventually("a transaction", () => store.committing === 1);
    const some = Array.from({ length: 11 }, (_, n) => submit(hub, { idempotencyKey: `some-${n}` }));
    await calm();
    expect(store.committing).toBe(1);
    const more = Array.from({ length: 100 }, (_, n) => submit(hub, { idempotencyKey: `more-${n}` }));
    await eventually("a second", () => store.committing === 2);
    await calm(20);
    expect(store.committing).toBe(2);
    store.open();
    const ids = await Promise.all([first, ...some, ...more]);
    const stored = store.batches.slice(before).flatMap(({ transitions }) => transitions);
    expect(stored.map(({ pipelineId }) => pipelineId)).toEqual(ids);
  });

  it("never has more than two transactions in flight", async () => {
    const { store, hub } = await hubOnTestStore();
    for (let n = 1; n <= 4; n++) new TestAgent(hub, { packId: "dev", instanceId: `dev-${n}`, maxTasks: 4 });
    const ids = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        await calm(n % 7);
        return submit(hub, { idempotencyKey: `key-${n}` });
      }),
    );
    for (const id of ids) await reaches(hub, id, PipelineStatus.COMPLETED);
    await hub.drain(0);
    expect(store.mostAtOnce).toBeLessThanOrEqual(2);
  });

  it("[TRN-05] stores inputs from before it closed, and rejects later ones", async () => {
    const { store, hub } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const envelope = await dev.envelope();
    store.shut();
    const early = submit(hub, { idempotencyKey: "early" });
    await eventually("a transaction", () => store.committing > 0);
    dev.answer(envelope);
    await calm();
    const closed = hub.drain(0);
    const request = create(PausePipelineRequestSchema, { pipelineId, reason: "so" });
    const asked = Promise.allSettled([hub.pausePipeline(ada, request), hub.submitTask(ada, task())]);
    await calm();
    store.open();
    await settles(closed, "the hub to close");
    expect(await read(hub, await early)).toMatchObject({ status: PipelineStatus.RUNNING });
    expect(await read(hub, pipelineId)).toMatchObject({ status: PipelineStatus.COMPLETED });
    for (const outcome of await settles(asked, "answers"))
      expect(outcome).toMatchObject({ status: "rejected", reason: { name: "HubError" } });
    expect(store.mostAtOnce).toBe(1);
  });
});

describe("nothing before its transaction is durable (D3)", () => {
  it("[PIP-11] answers no submission, sends no envelope and shows no event", async () => {
    const { store, hub } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await dev.receive("welcome");
    const events: unknown[] = [];
    const stop = new AbortController();
    const watch = hub.watchEvents(ada, create(WatchEventsRequestSchema, { afterSequence: 0n }), stop.signal);
    const watching = (async () => {
      for await (const { message } of watch) events.push(message.case);
    })();
    await eventually("caught_up", () => events.includes("caughtUp"));
    events.length = 0;

    store.shut();
    let answered = false;
    const submitted = hub.submitTask(ada, task()).then((response) => {
      answered = true;
      return response;
    });
    await eventually("a transaction", () => store.committing > 0);
    await calm();
    expect({ answered, envelopes: dev.envelopes.length, events }).toEqual({
      answered: false,
      envelopes: 0,
      events: [],
    });
    store.open();
    const { pipeline } = await submitted;
    await dev.envelope();
    await eventually("events", () => events.includes("record"));
    expect(pipeline?.status).toBe(PipelineStatus.RUNNING);
    stop.abort();
    await watching;
  });

  it("shows a pipeline as it is durable, not as it is decided", async () => {
    const { store, hub } = await hubOnTestStore();
    const pipelineId = await submit(hub);
    const before = await read(hub, pipelineId);
    store.shut();
    const paused = hub.pausePipeline(ada, create(PausePipelineRequestSchema, { pipelineId, reason: "so" }));
    await eventually("a transaction", () => store.committing > 0);
    const { pipeline: meanwhile } = await hub.getPipeline(
      ada,
      create(GetPipelineRequestSchema, { pipelineId }),
    );
    expect(meanwhile).toMatchObject({ status: PipelineStatus.RUNNING, revision: before.revision });
    store.open();
    await paused;
    expect(await read(hub, pipelineId)).toMatchObject({ status: PipelineStatus.PAUSED });
  });

  it("acknowledges no result", async () => {
    const { store, hub } = await hubOnTestStore();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const envelope = await dev.envelope();
    store.shut();
    const sequence = dev.answer(envelope);
    await eventually("a transaction", () => store.committing > 0);
    await calm();
    expect(dev.all("acknowledged").filter((one) => one.sequence >= sequence)).toEqual([]);
    store.open();
    await eventually("the acknowledgement", () =>
      dev.all("acknowledged").some((one) => one.sequence >= sequence),
    );
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  });
});

describe("the inputs of one pipeline (D1)", () => {
  it("[PIP-10] are decided in the order in which they came, also within one transaction", async () => {
    const { store, hub } = await hubOnTestStore();
    const pipelineId = await submit(hub);
    store.shut();
    const blocker = submit(hub, { idempotencyKey: "other" });
    await eventually("a transaction", () => store.committing > 0);
    const done: string[] = [];
    const step = (name: "pause" | "resume", n: number) => {
      const request = { pipelineId, reason: `${name} ${n}` };
      const call =
        name === "pause"
          ? hub.pausePipeline(ada, create(PausePipelineRequestSchema, request))
          : hub.resumePipeline(ada, create(ResumePipelineRequestSchema, request));
      return call.then(({ pipeline }) => {
        done.push(`${name} ${n}`);
        return pipeline?.status;
      });
    };
    const calls = [1, 2, 3].flatMap((n) => [step("pause", n), step("resume", n)]);
    await calm();
    const before = store.batches.length;
    store.open();
    const { PAUSED, RUNNING } = PipelineStatus;
    expect(await Promise.all(calls)).toEqual([PAUSED, RUNNING, PAUSED, RUNNING, PAUSED, RUNNING]);
    expect(done).toEqual(["pause 1", "resume 1", "pause 2", "resume 2", "pause 3", "resume 3"]);
    await blocker;
    const own = store.batches
      .slice(before)
      .flatMap(({ transitions }) => transitions)
      .filter((transition) => transition.pipelineId === pipelineId);
    expect(own).toHaveLength(1);
  });
});
