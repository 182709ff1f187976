import { once } from "node:events";
import {
  OrchestratorService,
  WatchEventsRequestSchema,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { type Hub, HubError } from "@baton/runtime";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { hubDouble } from "../../testing/hub-double.ts";
import { detailText, frame, openCall, readAll, steady } from "../../testing/raw-grpc.ts";
import { type RunningServer, runServer } from "../../testing/running-server.ts";

const { watchEvents } = OrchestratorService.method;

const asked = (init: MessageInitShape<typeof WatchEventsRequestSchema> = {}) =>
  frame(toBinary(WatchEventsRequestSchema, create(WatchEventsRequestSchema, init)));

const caughtUp = (sequence: number): WatchEventsResponse =>
  create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: { sequence: BigInt(sequence) } } });

const numbers = (messages: readonly WatchEventsResponse[]) =>
  messages.map(({ message }) =>
    message.case === "caughtUp" ? Number(message.value.sequence) : message.case,
  );

/** Publishes lists of some lengths, with consecutive numbers. */
function publishing(...lengths: readonly number[]): Partial<Hub> {
  let last = 0;
  const lists = lengths.map((length) => Array.from({ length }, () => caughtUp(++last)));
  return {
    async *watchTogether() {
      yield* lists;
    },
    async *watchEvents() {
      for (const list of lists) yield* list;
    },
  };
}

async function readWatched(server: RunningServer, headers = {}, ...pieces: readonly Buffer[]) {
  const stream = openCall(server, watchEvents, headers);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return readAll(stream, WatchEventsResponseSchema);
}

describe("events over gRPC", () => {
  it.each([
    ["as they are", {}],
    ["through Connect, because of a deadline", { "grpc-timeout": "1H" }],
  ])(
    "[TUR-04] arrive one by one and in their order, however many are published together: %s",
    async (_, headers) => {
      const server = await runServer(hubDouble(publishing(1, 3, 0, 500, 2)));
      const { messages, error } = await readWatched(server, headers, asked());
      expect(numbers(messages)).toEqual(Array.from({ length: 506 }, (_, index) => index + 1));
      expect(error).toBeUndefined();
    },
  );

  it("[TUR-04] are the same for all watchers of the same events", async () => {
    const server = await runServer(hubDouble(publishing(100, 100)));
    const all = await Promise.all(Array.from({ length: 20 }, () => readWatched(server, {}, asked())));
    for (const { messages } of all) expect(numbers(messages)).toEqual(numbers(all[0]?.messages ?? []));
    expect(all[0]?.messages).toHaveLength(200);
  });

  it.each([
    ["no message", []],
    ["more than one message", [asked(), asked()]],
  ])("are refused to a call that has %s", async (problem, pieces) => {
    const { messages, error } = await readWatched(await runServer(hubDouble(publishing(1))), {}, ...pieces);
    expect(messages).toEqual([]);
    expect(error).toMatchObject({ code: Code.InvalidArgument });
    expect(detailText(error)).toContain("BATON-CONTRACT-002");
    expect(error?.message).toContain(problem);
  });

  it.each([
    ["its message", []],
    ["the end of its request", [asked()]],
  ])("do not wait for a call without %s", async (_, pieces) => {
    const server = await runServer(hubDouble(publishing(1)), { limits: { bodyTimeoutMs: 50 } });
    const stream = openCall(server, watchEvents);
    for (const piece of [Buffer.alloc(0), ...pieces]) stream.write(piece);
    const { error } = await readAll(stream, WatchEventsResponseSchema);
    expect(error).toMatchObject({ code: Code.DeadlineExceeded });
    expect(detailText(error)).toContain("BATON-SERVER-008");
  });

  it("are refused to a request that breaks a rule, with the place", async () => {
    const request = asked({ filter: "x".repeat(100_000) });
    const { error } = await readWatched(await runServer(hubDouble(publishing(1))), {}, request);
    expect(error?.code).toBe(Code.InvalidArgument);
    expect(detailText(error)).toContain("filter");
  });

  it("end with what the hub throws, after what it published before", async () => {
    const hub = hubDouble({
      async *watchTogether() {
        yield [caughtUp(1), caughtUp(2)];
        throw new HubError("precondition", "BATON-QUERY-003", "they are gone", { fix: "begin again" });
      },
    });
    const { messages, error } = await readWatched(await runServer(hub), {}, asked());
    expect(numbers(messages)).toEqual([1, 2]);
    expect(detailText(error)).toContain("begin again");
  });

  it.each([
    ["as they are", {}],
    ["through Connect, because of a deadline", { "grpc-timeout": "1H" }],
  ])(
    "[TUR-04] are sent up to one that is too large, for all watchers of the same events: %s",
    async (_, headers) => {
      const reason = "x".repeat(5 * 1024 * 1024);
      const large = create(WatchEventsResponseSchema, { message: { case: "dropped", value: { reason } } });
      const list = [caughtUp(1), caughtUp(2), large, caughtUp(4)];
      const hub = hubDouble({
        async *watchTogether() {
          yield list;
        },
        async *watchEvents() {
          yield* list;
        },
      });
      const server = await runServer(hub);
      for (let time = 0; time < 2; time++) {
        const { messages, error } = await readWatched(server, headers, asked());
        expect(numbers(messages)).toEqual([1, 2]);
        expect(error?.code).toBe(Code.ResourceExhausted);
        expect(detailText(error)).toContain("BATON-SERVER-014");
      }
    },
  );

  it("[TUR-04] are asked of the hub no faster than they are read", async () => {
    let made = 0;
    const hub = hubDouble({
      async *watchTogether() {
        for (; made < 1_000; made++) yield Array.from({ length: 2_000 }, () => caughtUp(1));
      },
    });
    const stream = openCall(await runServer(hub), watchEvents);
    stream.end(asked());
    await once(stream, "response");
    stream.once("data", () => stream.pause());
    await steady(() => made);
    expect(made).toBeLessThan(200);
  });
});
