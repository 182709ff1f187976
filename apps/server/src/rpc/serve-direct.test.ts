import { once } from "node:events";
import type { ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import {
  type AttachAgentRequest,
  AttachAgentRequestSchema,
  type AttachAgentResponse,
  AttachAgentResponseSchema,
  RegistryService,
} from "@baton/contract";
import { type Hub, HubError } from "@baton/runtime";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { hubDouble } from "../../testing/hub-double.ts";
import { detailText, frame, openCall, readAll, steady } from "../../testing/raw-grpc.ts";
import { type RunningServer, runServer } from "../../testing/running-server.ts";
import { generateKey } from "../border/keys.ts";

const hello = received(1, {
  case: "hello",
  value: {
    manifest: { packId: "dev", packVersion: "1.0.0" },
    heartbeat: { packId: "dev", instanceId: "dev-1" },
  },
});
const beat = (sequence: number) =>
  received(sequence, { case: "heartbeat", value: { packId: "dev", instanceId: "dev-1" } });

function received(sequence: number, message: MessageInitShape<typeof AttachAgentRequestSchema>["message"]) {
  const request = { sequence: BigInt(sequence), ...(message && { message }) };
  return frame(toBinary(AttachAgentRequestSchema, create(AttachAgentRequestSchema, request)));
}

const drain = (reason: string): AttachAgentResponse =>
  create(AttachAgentResponseSchema, { message: { case: "drain", value: { reason } } });

/** A stream of an agent that writes its own bytes. */
const attach = (server: RunningServer, headers?: OutgoingHttpHeaders): ClientHttp2Stream =>
  openCall(server, RegistryService.method.attachAgent, headers);

const readAnswers = (stream: ClientHttp2Stream) => readAll(stream, AttachAgentResponseSchema);

/** Returns the number of each message that it receives. */
const echoing: Partial<Hub> = {
  async *attachAgent(_, requests) {
    for await (const { sequence } of requests) yield drain(String(sequence));
  },
};

const reasons = (messages: readonly AttachAgentResponse[]) =>
  messages.map(({ message }) => (message.case === "drain" ? message.value.reason : message.case));

describe("the stream of an agent over gRPC", () => {
  it.each([
    ["as it is", {}],
    ["through Connect, because of a deadline", { "grpc-timeout": "1H" }],
    ["through Connect, because of a compression", { "grpc-encoding": "gzip" }],
  ])("[TRN-01] carries messages both ways: %s", async (_, headers) => {
    const stream = attach(await runServer(hubDouble(echoing)), headers);
    stream.write(Buffer.concat([hello, beat(2)]));
    stream.end(beat(3));
    const { messages, error } = await readAnswers(stream);
    expect(reasons(messages)).toEqual(["1", "2", "3"]);
    expect(error).toBeUndefined();
  });

  it("takes messages in pieces of any size, and many in one", async () => {
    const count = 500;
    const all = Buffer.concat([hello, ...Array.from({ length: count - 1 }, (_, index) => beat(index + 2))]);
    for (const size of [1, 7, all.length]) {
      const stream = attach(await runServer(hubDouble(echoing)));
      const end = size === 1 ? 400 : all.length; // Byte by byte is slow over a network.
      for (let at = 0; at < end; at += size) stream.write(all.subarray(at, Math.min(at + size, end)));
      stream.end(all.subarray(end));
      const { messages } = await readAnswers(stream);
      expect(reasons(messages)).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)));
    }
  });

  it("sends what is ready together in one piece", async () => {
    const hub = hubDouble({
      async *attachAgent() {
        for (let number = 1; number <= 50; number++) yield drain(String(number));
      },
    });
    const stream = attach(await runServer(hub));
    stream.write(hello);
    let pieces = 0;
    stream.on("data", () => pieces++);
    const { messages } = await readAnswers(stream);
    expect(messages).toHaveLength(50);
    expect(pieces).toBeLessThan(5);
  });

  it.each([
    ["cut off", Buffer.from([0, 0, 0, 0, 9, 1]), "BATON-CONTRACT-002"],
    ["compressed, without a word of how", frame(new Uint8Array(3), 1), "BATON-CONTRACT-002"],
    ["behind flags that mean nothing", frame(new Uint8Array(0), 0x40), "BATON-CONTRACT-002"],
    ["none", frame(Uint8Array.from([0x0f])), "BATON-CONTRACT-002"],
    ["said to have 4 GB", Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1]), "BATON-CONTRACT-001"],
  ])("ends with an error at a message that is %s", async (_, bytes, code) => {
    const stream = attach(await runServer(hubDouble(echoing)));
    stream.write(hello);
    stream.end(bytes);
    const { messages, error } = await readAnswers(stream);
    expect(reasons(messages)).toEqual(["1"]);
    expect(error?.code).toBe(Code.InvalidArgument);
    expect(detailText(error)).toContain(code);
  });

  it("is not waited for when it does not say hello", async () => {
    const stream = attach(await runServer(hubDouble(echoing), { limits: { bodyTimeoutMs: 50 } }));
    stream.write(hello.subarray(0, 3));
    const { error } = await readAnswers(stream);
    expect(error?.code).toBe(Code.DeadlineExceeded);
    expect(detailText(error)).toContain("BATON-SERVER-008");
  });

  it("may be silent for longer after its hello", async () => {
    const stream = attach(await runServer(hubDouble(echoing), { limits: { bodyTimeoutMs: 50 } }));
    stream.write(hello);
    setTimeout(() => stream.end(beat(2)), 200);
    const { messages, error } = await readAnswers(stream);
    expect(reasons(messages)).toEqual(["1", "2"]);
    expect(error).toBeUndefined();
  });

  it("receives what the hub throws, with its fix", async () => {
    const hub = hubDouble({
      // biome-ignore lint/correctness/useYield: it refuses before it says anything.
      async *attachAgent() {
        throw new HubError("precondition", "BATON-AGENT-003", "not you", { fix: "be another" });
      },
    });
    const stream = attach(await runServer(hub));
    stream.write(hello);
    const { error } = await readAnswers(stream);
    expect(error).toMatchObject({ code: Code.FailedPrecondition, rawMessage: "not you" });
    expect(detailText(error)).toContain("be another");
  });

  it("is not let in with a key that nobody knows", async () => {
    const { entry } = generateKey({ id: "k", tenant: "t", roles: ["agent"] });
    const stream = attach(await runServer(hubDouble(echoing), { keys: [entry] }), {
      authorization: "Bearer no",
    });
    const { error } = await readAnswers(stream);
    expect(error?.code).toBe(Code.Unauthenticated);
  });

  it("ends when the server stops, and says so", async () => {
    const server = await runServer(hubDouble(echoing));
    const stream = attach(server);
    stream.write(hello);
    await once(stream, "data");
    const reading = readAnswers(stream);
    const closed = server.close(5_000);
    expect((await reading).error?.code).toBe(Code.Unavailable);
    await closed;
  });

  it("that breaks off ends at the hub too, and is logged as cancelled", async () => {
    const ended = Promise.withResolvers<void>();
    const hub = hubDouble({
      async *attachAgent(_, requests, signal) {
        signal.addEventListener("abort", () => ended.resolve());
        for await (const { sequence } of requests) yield drain(String(sequence));
      },
    });
    const server = await runServer(hub);
    const stream = attach(server);
    stream.on("error", () => undefined);
    stream.write(hello);
    await once(stream, "data");
    stream.session?.destroy();
    await ended.promise;
    const line = server.log.find(({ msg }) => msg === "call");
    expect(line).toMatchObject({ method: `${RegistryService.typeName}/AttachAgent`, code: "canceled" });
  });

  it("asks the hub for no more than the agent reads", async () => {
    let made = 0;
    const hub = hubDouble({
      async *attachAgent() {
        for (; made < 1_000; made++) yield drain("x".repeat(20_000));
      },
    });
    const stream = attach(await runServer(hub));
    stream.write(hello);
    await once(stream, "response");
    stream.once("data", () => stream.pause());
    await steady(() => made);
    expect(made).toBeLessThan(100);
    stream.resume();
    await once(stream, "trailers");
    expect(made).toBe(1_000);
  });

  it("reads no further than the hub takes", async () => {
    const taken = Promise.withResolvers<AttachAgentRequest>();
    const goOn = Promise.withResolvers<void>();
    let count = 0;
    const hub = hubDouble({
      async *attachAgent(_, requests) {
        for await (const request of requests) {
          taken.resolve(request);
          await goOn.promise;
          count++;
        }
        yield drain(String(count));
      },
    });
    const stream = attach(await runServer(hub));
    stream.write(hello);
    await taken.promise;
    const large = received(2, { case: "result", value: { taskId: "x".repeat(100_000) } });
    let written = 0;
    for (let number = 0; number < 50; number++) stream.write(large, () => written++);
    await steady(() => written);
    expect(written).toBeLessThan(10);
    goOn.resolve();
    stream.end();
    expect(reasons((await readAnswers(stream)).messages)).toEqual(["51"]);
  });
});
