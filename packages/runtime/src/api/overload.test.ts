import { createServer } from "node:http";
import { announce } from "@baton/conformance/connectors/announce.ts";
import { listening } from "@baton/conformance/connectors/listening.ts";
import {
  AgentRole,
  AgentTransport,
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  decodeJson,
  EventSchema,
  encodeJson,
  PipelineStatus,
  RunAgentResponseSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  calm,
  dispatchOf,
  eventually,
  helloOf,
  reaches,
  refusalOf,
  submit,
  TestStore,
  task,
  testHub,
} from "../../testing/index.ts";
import type { IntakeLimits } from "../engine/intake-buffer.ts";
import type { Caller } from "../ports/caller.ts";
import { openMemoryStore } from "../stores/index.ts";

const large = 100_000;
const bob: Caller = { ...ada, tenantId: "globex" };
const agentKey: Caller = { tenantId: "acme", id: "agent-key", kind: "agent" };

async function hubWithRoom(room: Partial<IntakeLimits>) {
  const store = new TestStore(openMemoryStore());
  const hub = await testHub({ store, room });
  onTestFinished(async () => {
    store.open();
    await hub.drain(0);
  });
  return { store, hub };
}

function largeTask(idempotencyKey: string) {
  return task({
    idempotencyKey,
    contract: { taskId: "task-1", title: "x".repeat(large), acceptanceCriteria: ["so"] },
  });
}

/** How many of these have an answer, and what it is. */
function watchAnswers(calls: readonly Promise<unknown>[]) {
  const taken: unknown[] = [];
  const refused: unknown[] = [];
  for (const call of calls)
    call.then(
      (answer) => taken.push(answer),
      (error: unknown) => refused.push(error),
    );
  return { taken, refused };
}

describe("while the store is stuck", () => {
  it("[DIS-05] a flood of large submissions is refused at once beyond the buffer of a tenant", async () => {
    const { store, hub } = await hubWithRoom({
      bytes: 10 * large,
      bytesPerTenant: 6 * large,
      waitingBytes: large,
    });
    store.shut();
    const calls = Array.from({ length: 100 }, (_, n) => hub.submitTask(ada, largeTask(`key-${n}`)));
    const { taken, refused } = watchAnswers(calls);
    await eventually("refusals", () => refused.length > 0);
    await calm();
    const waiting = 100 - refused.length;
    expect(waiting * large).toBeLessThanOrEqual(6 * large);
    expect(waiting).toBeGreaterThan(3);
    for (const error of refused) {
      expect(error).toMatchObject({
        kind: "exhausted",
        code: "BATON-HUB-004",
        retryAfterMs: expect.any(Number),
        fix: expect.stringContaining("try again"),
      });
    }
    // What is small goes on, and another tenant has room of its own.
    const small = watchAnswers([hub.submitTask(ada, task({ idempotencyKey: "small" }))]);
    const theirs = watchAnswers([hub.submitTask(bob, largeTask("key-1"))]);
    await calm();
    expect([...theirs.refused, ...small.refused]).toEqual([]);
    store.open();
    await eventually(
      "answers",
      () => taken.length === waiting && theirs.taken.length + small.taken.length === 2,
    );
    expect(await hub.submitTask(ada, largeTask("later"))).toMatchObject({ existing: false });
  });

  it("[DIS-05] all tenants together are limited, too", async () => {
    const { store, hub } = await hubWithRoom({
      bytes: 5 * large,
      bytesPerTenant: 5 * large,
      waitingBytes: large,
    });
    store.shut();
    const calls = Array.from({ length: 20 }, (_, n) =>
      hub.submitTask({ ...ada, tenantId: `tenant-${n}` }, largeTask("key")),
    );
    const { refused } = watchAnswers(calls);
    await calm();
    expect(20 - refused.length).toBe(4);
  });

  it("[DIS-05] one that is larger than the buffer is accepted alone", async () => {
    const { hub } = await hubWithRoom({ bytes: 10, bytesPerTenant: 10, waitingBytes: 10 });
    expect(await hub.submitTask(ada, largeTask("key"))).toMatchObject({ existing: false });
  });
});

/** What agents say, and how much of it the hub has taken. */
class Reporting {
  taken = 0;
  readonly #reported: AttachAgentRequest[] = [];
  #wake = () => {};

  say(...messages: AttachAgentRequest[]): void {
    this.#reported.push(...messages);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AttachAgentRequest> {
    for (;;) {
      for (let next = this.#reported.shift(); next; next = this.#reported.shift()) {
        this.taken++;
        yield next;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function largeThought() {
  return create(EventSchema, {
    eventId: "0d1f7f4e-35c4-4a2f-9b0c-0d5f3f6f8a02",
    sessionId: "s",
    payload: {
      case: "thoughtStream",
      value: { agentId: AgentRole.DEVELOPER, chunk: "x".repeat(large) },
    },
  });
}

function largeEvent(sequence: bigint, dispatchId: string): AttachAgentRequest {
  const message = { case: "event", value: largeThought() } as const;
  return create(AttachAgentRequestSchema, { sequence, dispatchId, message });
}

describe("an attached agent that floods the hub while its store is stuck", () => {
  /** An agent at work, and the store under its hub, which is stuck. */
  async function stuck(room: Partial<IntakeLimits>) {
    const { store, hub } = await hubWithRoom(room);
    const reporting = new Reporting();
    reporting.say(helloOf({ packId: "dev" }));
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const stream = hub.attachAgent(agentKey, reporting, stop.signal)[Symbol.asyncIterator]();
    expect((await stream.next()).value?.message.case).toBe("welcome");
    const pipelineId = await submit(hub);
    const { value } = await stream.next();
    if (value?.message.case !== "dispatch") throw new Error("an envelope comes");
    const envelope = value.message.value;
    store.shut();
    return { store, hub, reporting, stream, pipelineId, envelope, before: reporting.taken };
  }

  it("[DIS-05] is not read beyond the buffer, and loses nothing", async () => {
    const { store, hub, reporting, stream, pipelineId, envelope, before } = await stuck({
      bytes: 5 * large,
      bytesPerTenant: 5 * large,
      waitingBytes: 2 * large,
    });
    const count = 60;
    for (let n = 0; n < count; n++) reporting.say(largeEvent(BigInt(n + 2), dispatchOf(envelope)));
    const result = { case: "result", value: resultFor(envelope) } as const;
    reporting.say(create(AttachAgentRequestSchema, { sequence: BigInt(count + 2), message: result }));
    await eventually("a transaction", () => store.committing > 0);
    await calm();
    // Four have room, and one waits at the door.
    expect(reporting.taken - before).toBe(5);
    store.open();
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(reporting.taken - before).toBe(count + 1);
    const largest = Math.max(...store.batches.map(({ events }) => sumOf(events)));
    expect(largest).toBeLessThanOrEqual(6 * large);
    let acknowledged = 0n;
    while (acknowledged < BigInt(count + 2)) {
      const { value } = await stream.next();
      if (value?.message.case === "acknowledged") acknowledged = value.message.value.sequence;
    }
  });

  it("[DIS-05] is disconnected for a while when too many wait", async () => {
    const { store, reporting, stream, envelope } = await stuck({
      bytes: 3 * large,
      bytesPerTenant: 3 * large,
      waitingBytes: large / 2,
    });
    for (let n = 0; n < 10; n++) reporting.say(largeEvent(BigInt(n + 2), dispatchOf(envelope)));
    await eventually("a transaction", () => store.committing > 0);
    const ended = (async () => {
      for (let next = await stream.next(); !next.done; next = await stream.next());
    })();
    expect(await refusalOf(ended)).toMatchObject({ kind: "exhausted", retryAfterMs: expect.any(Number) });
  });
});

it("[DIS-05] a push agent that floods the hub is not read beyond the buffer", async () => {
  const { store, hub } = await hubWithRoom({
    bytes: 5 * large,
    bytesPerTenant: 5 * large,
    waitingBytes: large,
  });
  const count = 60;
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const envelope = decodeJson(TaskEnvelopeSchema, Buffer.concat(await request.toArray()));
    response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
    begun.resolve();
    await go.promise;
    for (let n = 0; n < count; n++) response.write(lineOf({ case: "event", value: largeThought() }));
    response.end(lineOf({ case: "result", value: resultFor(envelope) }));
  });
  const { uri } = await listening(server);
  await announce(hub, { uri, transport: AgentTransport.HTTP_JSON });
  const pipelineId = await submit(hub);
  await begun.promise;
  store.shut();
  go.resolve();
  await eventually("a transaction", () => store.committing > 0);
  await calm(100);
  store.open();
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
  const largest = Math.max(...store.batches.map(({ events }) => sumOf(events)));
  expect(largest).toBeGreaterThan(large);
  expect(largest).toBeLessThanOrEqual(6 * large);
});

type Reported = NonNullable<MessageInitShape<typeof RunAgentResponseSchema>["message"]>;

function lineOf(message: Reported): string {
  return `${encodeJson(RunAgentResponseSchema, create(RunAgentResponseSchema, { message }))}\n`;
}

function sumOf(rows: readonly { readonly events: Uint8Array }[]): number {
  return rows.reduce((sum, { events }) => sum + events.length, 0);
}
