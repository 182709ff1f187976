import { hash } from "node:crypto";
import { batch } from "@baton/conformance/store/rows.ts";
import {
  AgentRole,
  type EventRecord,
  EventSchema,
  PipelineStatus,
  type WatchEventsRequestSchema as RequestSchema,
  WatchEventsRequestSchema,
  type WatchEventsResponse,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ada,
  calm,
  dispatchOf,
  eventually,
  planOf,
  reaches,
  refusalOf,
  settles,
  silent,
  submit,
  TestAgent,
  TestStore,
  testHub,
} from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { Ledger } from "../engine/state/ledger.ts";
import type { EventRow } from "../ports/store.ts";
import { EgressFilter } from "../redaction/egress-filter.ts";
import { openMemoryStore } from "../stores/index.ts";
import { watchLimits } from "./audience.ts";
import type { EventList } from "./visible-events.ts";
import { Watchers } from "./watch.ts";

/** Somebody who watches, and what was seen. */
class Watcher {
  readonly seen: WatchEventsResponse["message"][] = [];
  readonly #stop = new AbortController();
  readonly ended: Promise<void>;

  constructor(hub: Pick<Hub, "watchEvents">, init: MessageInitShape<typeof RequestSchema> = {}, pace = 0) {
    const stream = hub.watchEvents(ada, create(WatchEventsRequestSchema, init), this.#stop.signal);
    this.ended = (async () => {
      for await (const { message } of stream) {
        this.seen.push(message);
        await calm(pace);
      }
    })();
    this.ended.catch(() => {});
  }

  get records(): readonly EventRecord[] {
    return this.seen.flatMap((message) => (message.case === "record" ? [message.value] : []));
  }

  get sequences(): readonly number[] {
    return this.records.map(({ sequence }) => Number(sequence));
  }

  get cases(): readonly (string | undefined)[] {
    return this.seen.map((message) => message.case);
  }

  caughtUp(): Promise<boolean> {
    return eventually(
      "caught_up",
      () => this.cases.includes("caughtUp"),
      () => this.cases,
    );
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await settles(this.ended, "the stream to end");
  }
}

function upTo(last: number, from = 1): readonly number[] {
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, n) => from + n);
}

describe("a watch", () => {
  it("[TUR-04] shows what is stored, says when that is all, and goes on with what happens", async () => {
    const hub = await testHub();
    await submit(hub);
    const watcher = new Watcher(hub, { afterSequence: 0n });
    await watcher.caughtUp();
    const stored = watcher.records.length;
    expect(stored).toBeGreaterThan(0);
    expect(watcher.seen.at(-1)).toMatchObject({ case: "caughtUp", value: { sequence: BigInt(stored) } });
    await submit(hub, { idempotencyKey: "later" });
    await eventually("more", () => watcher.records.length > stored);
    await watcher.stop();
    expect(watcher.sequences).toEqual(upTo(watcher.records.length));
    expect(watcher.cases.filter((one) => one === "caughtUp")).toHaveLength(1);
  });

  it("[TUR-04] leaves nothing out and shows nothing twice, whenever it begins and however slow it is", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant("submit" as const) },
      { weight: 1, arbitrary: fc.constant("shut" as const) },
      { weight: 1, arbitrary: fc.constant("open" as const) },
      { weight: 2, arbitrary: fc.record({ after: fc.nat(12), pace: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.nat(4) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const store = new TestStore(openMemoryStore());
        const hub = await testHub({ store });
        const watchers: { readonly watcher: Watcher; readonly after: number }[] = [];
        const submitted: Promise<unknown>[] = [];
        for (const [n, one] of steps.entries()) {
          if (one === "submit") submitted.push(submit(hub, { idempotencyKey: `key-${n}` }));
          else if (one === "shut") store.shut();
          else if (one === "open") store.open();
          else if (typeof one === "number") await calm(one);
          else {
            const [head] = await store.heads();
            const after = Math.min(one.after, Number(head?.eventSequence ?? 0n));
            const watcher = new Watcher(hub, { afterSequence: BigInt(after) }, one.pace);
            watchers.push({ watcher, after });
          }
        }
        store.open();
        await Promise.all(submitted);
        await submit(hub, { idempotencyKey: "last" });
        const rows = await store.events(ada.tenantId, 0n, 10_000);
        const last = Number(rows.at(-1)?.lastSequence ?? 0n);
        for (const { watcher, after } of watchers) {
          await eventually(
            `event ${last} after ${after}`,
            () => after >= last || watcher.sequences.at(-1) === last,
            () => watcher.sequences,
          );
          await watcher.stop();
          expect(watcher.sequences).toEqual(upTo(last, after + 1));
        }
        await hub.drain(0);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it("starts with the next event by default", async () => {
    const hub = await testHub();
    await submit(hub);
    const watcher = new Watcher(hub);
    await watcher.caughtUp();
    expect(watcher.records).toEqual([]);
    const pipelineId = await submit(hub, { idempotencyKey: "next" });
    await eventually("its events", () => watcher.records.length > 0);
    expect(new Set(watcher.records.map((record) => record.pipelineId))).toEqual(new Set([pipelineId]));
    await watcher.stop();
  });

  it("shows what is asked for: of a pipeline, a stage, an attempt, of a type", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    const pipelineId = await submit(hub);
    const dispatchId = dispatchOf(await dev.envelope());
    const pulse = create(EventSchema, {
      eventId: "0d1f7f4e-35c4-4a2f-9b0c-0d5f3f6f8a01",
      sessionId: "s",
      payload: { case: "thoughtStream", value: { agentId: AgentRole.DEVELOPER, chunk: "hm" } },
    });
    dev.say({ case: "event", value: pulse }, dispatchId);
    await dev.receive("acknowledged");
    expect(dev.all("refused")).toEqual([]);
    await submit(hub, { idempotencyKey: "other" });
    const filters = {
      [`pipeline_id = "${pipelineId}"`]: (record: EventRecord) => record.pipelineId === pipelineId,
      [`pipeline_id != "${pipelineId}"`]: (record: EventRecord) => record.pipelineId !== pipelineId,
      'stage_id = "code"': (record: EventRecord) => record.stageId === "code",
      [`dispatch_id = "${dispatchId}" AND type = "THOUGHT_STREAM"`]: (record: EventRecord) =>
        record.dispatchId === dispatchId && record.event?.payload.case === "thoughtStream",
      'type = "TASK_TRANSITION"': (record: EventRecord) => record.event?.payload.case === "taskTransition",
    };
    const all = new Watcher(hub, { afterSequence: 0n });
    await all.caughtUp();
    for (const [filter, holds] of Object.entries(filters)) {
      const watcher = new Watcher(hub, { afterSequence: 0n, filter });
      await watcher.caughtUp();
      const expected = all.records.filter(holds);
      expect(expected.length, filter).toBeGreaterThan(0);
      expect(watcher.sequences, filter).toEqual(expected.map(({ sequence }) => Number(sequence)));
      await watcher.stop();
    }
    await all.stop();
  });

  it("is refused with a filter that cannot be read, by its place", async () => {
    const hub = await testHub();
    const watcher = new Watcher(hub, { filter: "colour = red" });
    const refused = await refusalOf(watcher.ended);
    expect(refused).toMatchObject({ kind: "invalid", violations: [{ field: "filter" }] });
    expect(refused.message).toContain("pipeline_id");
  });

  it("compares only what can be compared: texts of events have no order", async () => {
    const hub = await testHub();
    const watcher = new Watcher(hub, { filter: 'pipeline_id < "p"' });
    expect(await refusalOf(watcher.ended)).toMatchObject({ kind: "invalid" });
  });

  it("ends when it is stopped: before it began, while it catches up, and later", async () => {
    const hub = await testHub();
    await submit(hub);
    const request = create(WatchEventsRequestSchema, { afterSequence: 0n });
    const early = (async () => {
      for await (const _ of hub.watchEvents(ada, request, AbortSignal.abort()));
    })();
    await settles(early, "a watch that nobody wants to end");
    const stop = new AbortController();
    const during = (async () => {
      for await (const _ of hub.watchEvents(ada, request, stop.signal)) stop.abort();
    })();
    await settles(during, "a watch to end while it catches up");
    const later = new Watcher(hub, { afterSequence: 0n });
    await later.caughtUp();
    await later.stop();
  });

  it("[TRN-05] ends when the hub closes, also one that comes too late", async () => {
    const hub = await testHub();
    await submit(hub);
    const watcher = new Watcher(hub, { afterSequence: 0n });
    await watcher.caughtUp();
    await settles(hub.drain(0), "the hub to close");
    await settles(watcher.ended, "the watch to end");
    const late = new Watcher(hub, { afterSequence: 0n });
    await settles(late.ended, "the late watch to end");
    expect(late.cases).toContain("caughtUp");
  });

  it("[OBS-05] shows no secret that an agent wrote", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await submit(hub);
    const dispatchId = dispatchOf(await dev.envelope());
    const secret = `sk-ant-api03-${"a1B2".repeat(12)}`;
    const thought = create(EventSchema, {
      eventId: "0d1f7f4e-35c4-4a2f-9b0c-0d5f3f6f8a02",
      sessionId: "s",
      payload: {
        case: "thoughtStream",
        value: { agentId: AgentRole.DEVELOPER, chunk: `the key is ${secret}` },
      },
    });
    dev.say({ case: "event", value: thought }, dispatchId);
    const watcher = new Watcher(hub, { afterSequence: 0n, filter: "type = THOUGHT_STREAM" });
    await eventually("the thought", () => watcher.records.length > 0);
    await watcher.stop();
    const [record] = watcher.records;
    expect(record?.event?.payload).toMatchObject({ case: "thoughtStream" });
    expect(
      JSON.stringify(record, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    ).not.toContain(secret);
  });
});

/** Watchers of a store into which a test writes. */
function watchersOfStore(backlogBytes?: number) {
  const filter = new EgressFilter();
  const store = openMemoryStore();
  const ledger = new Ledger(filter, (bytes) => hash("sha256", bytes, "buffer"), []);
  let last = 0n;
  const watchers = new Watchers({
    store,
    filter,
    lastEvent: () => last,
    ...(backlogBytes !== undefined && { backlogBytes }),
  });
  const hub: Pick<Hub, "watchEvents"> = {
    watchEvents: ({ tenantId }, request, signal) => watchers.watch(tenantId, request, signal),
  };
  const happen = async (sessionId = "s"): Promise<void> => {
    const event = create(EventSchema, { eventId: "e", sessionId });
    const one = { pipelineId: "p", stageId: "", dispatchId: "", event };
    const row = ledger.number(ada.tenantId, [one], 1);
    const events: EventRow[] = row ? [row] : [];
    await store.commit(batch({ events }));
    last += 1n;
    watchers.publish(events);
  };
  return { store, watchers, hub, happen };
}

describe("a watcher that asks for what does not exist", () => {
  it("[TUR-04] is refused with the last event when its position is beyond the end", async () => {
    const { hub, happen } = watchersOfStore();
    for (let n = 0; n < 3; n++) await happen();
    const watcher = new Watcher(hub, { afterSequence: 4n });
    const error = await refusalOf(watcher.ended);
    expect(error).toMatchObject({ kind: "precondition", code: "BATON-QUERY-002" });
    expect(error.message).toBe("there is no event 4 yet: the last one is 3");
    expect(watcher.seen).toEqual([]);
    const last = new Watcher(hub, { afterSequence: 3n });
    await last.caughtUp();
    await last.stop();
  });

  it("[TUR-04] is refused with the oldest event when its position was removed", async () => {
    const { store, hub, happen } = watchersOfStore();
    for (let n = 0; n < 5; n++) await happen();
    await store.prune({
      events: { fromMs: undefined, bytes: 1 },
      turns: { fromMs: undefined, bytes: undefined },
    });
    for (let n = 0; n < 2; n++) await happen();
    const error = await refusalOf(new Watcher(hub, { afterSequence: 2n }).ended);
    expect(error).toMatchObject({ kind: "precondition", code: "BATON-QUERY-003" });
    expect(error.message).toContain("the oldest event is 5");
    expect(error.fix).toContain("after 4");
    for (const afterSequence of [0n, 4n]) {
      const watcher = new Watcher(hub, { afterSequence });
      await watcher.caughtUp();
      expect(watcher.sequences).toEqual([5, 6, 7]);
      await watcher.stop();
    }
  });
});

it("[TUR-04] a watch of one agent receives events and transitions of its attempts, also of ended ones", async () => {
  const hub = await testHub();
  const dev = new TestAgent(hub, { packId: "dev" });
  const qa = new TestAgent(hub, { packId: "qa", taskTypes: ["verify"] });
  await Promise.all([dev.receive("welcome"), qa.receive("welcome")]);
  const pipelineId = await submit(hub, {
    plan: planOf(stages({ build: { taskType: "code" }, test: { taskType: "verify" } })),
  });
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  const listed = async (filter: string) => {
    const watcher = new Watcher(hub, { afterSequence: 0n, filter });
    await watcher.caughtUp();
    await watcher.stop();
    return watcher.seen.flatMap((message) => (message.case === "record" ? [message.value.stageId] : []));
  };
  expect(new Set(await listed('pack_id = "dev"'))).toEqual(new Set(["build"]));
  expect(new Set(await listed('instance_id = "qa-1" AND type = "TASK_TRANSITION"'))).toEqual(
    new Set(["test"]),
  );
  expect(await listed('pack_id = "nobody"')).toEqual([]);
});

describe("many watchers", () => {
  it("[TUR-04] are shown everything once and in order, from the same lists where they want everything", async () => {
    const { watchers, happen } = watchersOfStore();
    const stop = new AbortController();
    const wanted = [
      "",
      "",
      "",
      "",
      "",
      'pipeline_id = "p"',
      'pipeline_id = "other"',
      'pipeline_id != "other"',
    ];
    const lists = wanted.map((): EventList[] => []);
    const watched = wanted.map(async (filter, place) => {
      const request = create(WatchEventsRequestSchema, { afterSequence: 0n, filter });
      for await (const list of watchers.watchTogether(ada.tenantId, request, stop.signal)) {
        lists[place]?.push(list);
      }
    });
    const sequencesOf = (place: number) =>
      (lists[place] ?? [])
        .flatMap((list) => [...list])
        .flatMap(({ message }) => (message.case === "record" ? Number(message.value.sequence) : []));
    await eventually("all are there", () => lists.every((list) => list.length === 1));
    for (let n = 0; n < 60; n++) await happen();
    await eventually("all of them", () => sequencesOf(0).length === 60 && sequencesOf(7).length === 60);
    await happen("x".repeat(watchLimits.gatherBytes));
    // Also what is still being gathered when the hub closes.
    await happen();
    watchers.close();
    await Promise.all(watched);
    const all = upTo(62);
    expect(wanted.map((_, place) => sequencesOf(place))).toEqual([all, all, all, all, all, all, [], all]);
    expect(lists[4]?.slice(1).every((list, place) => list === lists[0]?.[place + 1])).toBe(true);
    expect(lists[0]?.length).toBeLessThan(60);
    expect(watchers.backlogBytes).toBe(0);
  });

  it("[TUR-04] of everything do not delay a watcher of one pipeline", async () => {
    const { watchers, happen } = watchersOfStore();
    const stop = new AbortController();
    const filters = [...Array.from({ length: 20 }, () => ""), 'pipeline_id = "p"'];
    const notified: string[] = [];
    let caughtUp = 0;
    const watched = filters.map(async (filter) => {
      const request = create(WatchEventsRequestSchema, { afterSequence: 0n, filter });
      for await (const { message } of watchers.watch(ada.tenantId, request, stop.signal)) {
        if (message.case === "record") notified.push(filter);
        else caughtUp++;
      }
    });
    await eventually("all are there", () => caughtUp === filters.length);
    await happen();
    await eventually("all are notified", () => notified.length === filters.length);
    expect(notified[0]).toBe('pipeline_id = "p"');
    stop.abort();
    await Promise.all(watched);
  });
});

describe("a watcher that is too slow", () => {
  it("[TUR-04] costs no more memory than there is for all, and is shown everything all the same", async () => {
    const limit = 200_000;
    const { watchers, hub, happen } = watchersOfStore(limit);
    const request = create(WatchEventsRequestSchema, { afterSequence: 0n });
    const stop = new AbortController();
    const slow = Array.from({ length: 3 }, () =>
      hub.watchEvents(ada, request, stop.signal)[Symbol.asyncIterator](),
    );
    for (const one of slow) expect((await one.next()).value?.message.case).toBe("caughtUp");
    const fast = new Watcher(hub, { afterSequence: 0n });
    await fast.caughtUp();
    const large = "x".repeat(30_000);
    let most = 0;
    for (let n = 0; n < 40; n++) {
      await happen(large);
      most = Math.max(most, watchers.backlogBytes);
    }
    expect(most).toBeGreaterThan(limit / 2);
    expect(most).toBeLessThanOrEqual(limit);
    await eventually("all of them", () => fast.sequences.length === 40);
    expect(fast.sequences).toEqual(upTo(40));
    for (const one of slow.slice(1)) {
      for (let n = 1; n <= 40; n++) {
        const { value } = await one.next();
        expect(value?.message).toMatchObject({ case: "record", value: { sequence: BigInt(n) } });
      }
    }
    await happen();
    for (const one of slow.slice(1)) {
      const { value } = await one.next();
      expect(value?.message).toMatchObject({ case: "record", value: { sequence: 41n } });
    }
    stop.abort();
    for (const one of slow) for (let next = await one.next(); !next.done; next = await one.next());
    await fast.stop();
    expect(watchers.backlogBytes).toBe(0);
  });

  it("[TUR-04] is let go, and nothing waits for it any more, also when it never reads again", async () => {
    const { watchers, hub, happen } = watchersOfStore();
    const request = create(WatchEventsRequestSchema, { afterSequence: 0n });
    const [stalled, other] = [new AbortController(), new AbortController()].map(({ signal }) =>
      hub.watchEvents(ada, request, signal)[Symbol.asyncIterator](),
    );
    for (const one of [stalled, other]) expect((await one?.next())?.value?.message.case).toBe("caughtUp");
    await happen();
    const perEvent = watchers.backlogBytes;
    expect(perEvent).toBeGreaterThan(0);
    for (let n = 1; n < watchLimits.backlog; n++) {
      await happen();
      await other?.next();
    }
    expect(watchers.backlogBytes).toBeGreaterThan(perEvent * (watchLimits.backlog - 50));
    for (let n = 0; n < 10; n++) {
      await happen();
      await other?.next();
    }
    // What the other one has not read yet, and no more.
    expect(watchers.backlogBytes).toBeLessThan(perEvent * 10);
    expect(watchers.backlogBytes).toBeGreaterThan(0);
    expect((await stalled?.next())?.value?.message).toMatchObject({
      case: "dropped",
      value: { resumeAfterSequence: 0n },
    });
    expect((await stalled?.next())?.done).toBe(true);
    expect((await other?.next())?.value?.message).toMatchObject({
      case: "record",
      value: { sequence: BigInt(watchLimits.backlog + 10) },
    });
    expect(watchers.backlogBytes).toBe(0);
    watchers.close();
  });

  it("[TUR-04] is let go with where to go on, and finds the rest there", async () => {
    const { watchers, hub, happen } = watchersOfStore();
    const request = create(WatchEventsRequestSchema, { afterSequence: 0n });
    const slow = hub.watchEvents(ada, request, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await slow.next()).value?.message.case).toBe("caughtUp");
    const seen: WatchEventsResponse["message"][] = [];
    for (let n = 0; n < watchLimits.backlog + 50; n++) {
      await happen();
      if (n >= 20) continue;
      const { value } = await slow.next();
      if (value) seen.push(value.message);
    }
    for (let next = await slow.next(); !next.done; next = await slow.next()) seen.push(next.value.message);
    const end = seen.pop();
    const sequences = seen.map((message) => (message.case === "record" ? Number(message.value.sequence) : 0));
    expect(sequences).toEqual(upTo(sequences.length));
    expect(sequences.length).toBeGreaterThanOrEqual(20);
    if (end?.case !== "dropped") throw new Error("the watcher must be notified that it was dropped");
    expect(end.value).toMatchObject({
      resumeAfterSequence: BigInt(sequences.length),
      reason: expect.stringContaining(`${watchLimits.backlog}`),
    });
    const again = new Watcher(hub, { afterSequence: end.value.resumeAfterSequence });
    await again.caughtUp();
    expect(again.sequences).toEqual(upTo(watchLimits.backlog + 50, sequences.length + 1));
    watchers.close();
    await settles(again.ended, "the watch to end");
  });
});
