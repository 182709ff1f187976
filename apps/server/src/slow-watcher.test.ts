import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:http2";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import {
  ErrorDetailSchema,
  EventSchema,
  OrchestratorService,
  WatchEventsRequestSchema,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { dispatchOf, eventually, settles, silent, TestAgent, task, testHub } from "@baton/runtime/testing";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { type RunningServer, runServer } from "../testing/running-server.ts";

const local = { tenantId: "local", id: "local", kind: "human" } as const;

/** A hub behind a server, and an agent that reports much. */
async function busyServer() {
  const hub = await testHub();
  onTestFinished(() => hub.drain(0));
  const server = await runServer(hub);
  const agent = new TestAgent(hub, { packId: "dev", tenantId: local.tenantId, answer: silent });
  onTestFinished(() => agent.vanish());
  await hub.submitTask(local, task());
  const dispatchId = dispatchOf(await agent.envelope());
  const long = ideograms(100_000);
  let calls = 0;
  /** Each is stored on its own: the next is reported when it is durable. */
  const report = async (characters: number): Promise<void> => {
    const isEnd = ++calls % 2 === 0;
    const timestamp = timestampFromMs(0);
    const call = { callId: String(Math.ceil(calls / 2)), tool: "shell", timestamp };
    const event = create(EventSchema, {
      ...{ eventId: crypto.randomUUID(), sessionId: "s" },
      payload: isEnd
        ? { case: "toolCompleted", value: { ...call, status: 1 } }
        : { case: "toolInvoked", value: { ...call, arguments: { text: long.slice(0, characters) } } },
    });
    const sequence = agent.say({ case: "event", value: event }, dispatchId);
    await eventually("its acknowledgement", () =>
      agent.all("acknowledged").some((one) => one.sequence === sequence),
    );
  };
  return { server, report };
}

/** Long ones, also when they are compressed: no two are alike. */
function ideograms(count: number): string {
  return String.fromCharCode(
    ...Array.from({ length: count }, () => 0x4e00 + Math.floor(Math.random() * 0x5000)),
  );
}

/** A watcher that reads when the test says so, and gives what it was shown: numbers, and where to go on. */
interface Reader {
  readToEnd(): Promise<{ readonly sequences: readonly number[]; readonly resumeAfter: number }>;
}

/** What a browser is shown that comes back, up to where it has caught up. */
async function numbersAfter(server: RunningServer, last: number): Promise<readonly number[]> {
  const stop = new AbortController();
  const headers = { "last-event-id": String(last) };
  const answer = await fetch(`${server.httpAddress}/v1/events`, { headers, signal: stop.signal });
  const numbers: number[] = [];
  for await (const line of linesOf(answer)) {
    const [name, value] = line.split(": ", 2);
    if (name === "id") numbers.push(Number(value));
    if (value === "caught_up") break;
  }
  stop.abort();
  return numbers.slice(0, -1); // The last is the one up to which it has caught up.
}

/** Piece by piece: to put all of it together first, again and again, takes long. */
async function* linesOf({ body }: Response): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const piece of body ?? []) {
    const [first = "", ...lines] = decoder.decode(piece, { stream: true }).split("\n");
    begun += first;
    for (const line of lines) {
      yield begun;
      begun = line;
    }
  }
}

/** By hand: a client that is made for it would read ahead. */
async function overGrpc(server: RunningServer): Promise<Reader> {
  const session = connect(server.grpcAddress);
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ...{ ":method": "POST", ":path": "/vasini.agent.v1.OrchestratorService/WatchEvents" },
    ...{ "content-type": "application/grpc", te: "trailers" },
  });
  const request = toBinary(WatchEventsRequestSchema, create(WatchEventsRequestSchema, { afterSequence: 0n }));
  stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, request.length]), request]));
  await once(stream, "response");
  return {
    async readToEnd() {
      const bytes = Buffer.concat(await stream.toArray());
      const sequences: number[] = [];
      for (let at = 0; at < bytes.length; ) {
        const end = at + 5 + bytes.readUInt32BE(at + 1);
        const { message } = fromBinary(WatchEventsResponseSchema, bytes.subarray(at + 5, end));
        at = end;
        if (message.case === "record") sequences.push(Number(message.value.sequence));
        if (message.case === "dropped") {
          return { sequences, resumeAfter: Number(message.value.resumeAfterSequence) };
        }
      }
      throw new Error("it is informed that it was dropped");
    },
  };
}

async function overServerSentEvents(server: RunningServer): Promise<Reader> {
  const response = await askForEvents(server, {});
  return readEvents(() => response);
}

/** To its end, which has to be a whole one. */
async function overCompressedEvents(server: RunningServer): Promise<Reader> {
  const response = await askForEvents(server, { "accept-encoding": "gzip" });
  expect(response.headers["content-encoding"]).toBe("gzip");
  return readEvents(() => response.on("error", () => undefined).pipe(createGunzip()));
}

async function askForEvents(
  server: RunningServer,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const request = get(`${server.httpAddress}/v1/events?after=0`, { headers });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

function readEvents(stream: () => Readable): Reader {
  return {
    async readToEnd() {
      const sequences: number[] = [];
      const text = Buffer.concat(await stream().toArray()).toString();
      for (const block of text.split("\n\n")) {
        const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2)));
        if (fields.event === "record") sequences.push(Number(fields.id));
        if (fields.event === "dropped") return { sequences, resumeAfter: Number(fields.id) };
      }
      throw new Error("it is informed that it was dropped");
    },
  };
}

describe("a watcher that does not read", () => {
  it.each([
    ["gRPC", overGrpc],
    ["server-sent events", overServerSentEvents],
    ["compressed server-sent events", overCompressedEvents],
  ])(
    "[TUR-04] over %s does not slow the hub, and receives where to continue when it is dropped",
    async (_, watch) => {
      const { server, report } = await busyServer();
      const reader = await watch(server);
      // More than the wire holds, and then more than may wait for it. Each is acknowledged all the while.
      const count = 1_400;
      for (let n = 0; n < count; n++) await report(n < 200 ? 100_000 : 10);
      const { sequences, resumeAfter } = await settles(reader.readToEnd(), "the end of the stream");
      const [first = 0, last = 0] = [sequences[0], sequences.at(-1)];
      expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, place) => first + place));
      expect(resumeAfter).toBe(last);
      // A watcher that continues there receives the rest, and nothing twice.
      const rest = await numbersAfter(server, last);
      expect([...sequences, ...rest].slice(-count)).toEqual(
        Array.from({ length: count }, (_, place) => first + sequences.length + rest.length - count + place),
      );
    },
  );
});

describe("a watcher with a number that was never given", () => {
  it("[TUR-04] is refused at once over server-sent events, with the last number there is", async () => {
    const { server } = await busyServer();
    const answer = await fetch(`${server.httpAddress}/v1/events?after=999999`);
    expect(answer.status).toBe(400);
    const { message, details } = (await answer.json()) as {
      message: string;
      details: readonly { debug: { code: string; fix: string } }[];
    };
    expect(message).toMatch(/there is no event 999999 yet: the last one is \d+/);
    expect(details[0]?.debug).toMatchObject({
      code: "BATON-QUERY-002",
      fix: expect.stringMatching(/after \d+/),
    });
  });

  it("[TUR-04] is refused over gRPC in the same words", async () => {
    const { server } = await busyServer();
    const watching = async () => {
      for await (const _ of server.client(OrchestratorService).watchEvents({ afterSequence: 999_999n }));
    };
    const error = await watching().catch((reason: unknown) => ConnectError.from(reason));
    expect(error).toMatchObject({ code: Code.FailedPrecondition });
    expect((error as ConnectError).findDetails(ErrorDetailSchema)[0]?.code).toBe("BATON-QUERY-002");
  });
});
