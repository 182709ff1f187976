import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, createServer, type Socket } from "node:net";
import { type WatchEventsRequest, WatchEventsResponseSchema } from "@baton/contract";
import { type ChangeHint, HubError } from "@baton/runtime";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { hubDouble, takingHub } from "../../testing/hub-double.ts";
import { type RunningServer, runServer, smallTask, type TestConfig } from "../../testing/running-server.ts";

type Watched = NonNullable<MessageInitShape<typeof WatchEventsResponseSchema>["message"]>;

const submitPath = "/vasini.agent.v1.OrchestratorService/SubmitTask";
const eventId = "6f1c9a52-3f43-4e0c-9f0a-3a5d2f0f6a11";

function recordOf(sequence: bigint, line: string): Watched {
  const event = {
    ...{ eventId, sessionId: "s-1" },
    payload: { case: "sandboxPulse", value: { line, timestamp: { seconds: 1n } } } as const,
  };
  return { case: "record", value: { sequence, pipelineId: "p-1", event } };
}

describe("GET /v1/events", () => {
  it("[TUR-04] sends each event with its sequence as id, on one line", async () => {
    const { server } = await watched([
      recordOf(6n, "two\nlines\u2028and data: more"),
      { case: "caughtUp", value: { sequence: 6n } },
      { case: "dropped", value: { resumeAfterSequence: 6n, reason: "too slow" } },
    ]);
    const answer = await fetch(`${server.httpAddress}/v1/events?after=5`);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const events = parse(await answer.text());
    expect(events.map(({ id, event }) => [id, event])).toEqual([
      ["6", "record"],
      ["6", "caught_up"],
      ["6", "dropped"],
    ]);
    expect(events[0]?.data).toMatchObject({
      sequence: "6",
      event: { sandboxPulse: { line: "two\nlines\u2028and data: more" } },
    });
  });

  it.each([
    ["after", "?after=5", {}, 5n],
    ["the last id that a browser has seen", "?after=5", { "last-event-id": "9" }, 9n],
    ["what happens next", "", {}, undefined],
  ])("[TUR-04] begins with %s", async (_, query, headers, expected) => {
    const { server, asked } = await watched([]);
    await (await fetch(`${server.httpAddress}/v1/events${query}`, { headers })).text();
    expect(asked.map(({ afterSequence }) => afterSequence)).toEqual([expected]);
  });

  it("[TUR-04] says what has changed to a page that asks for it, gathered, and to nobody else", async () => {
    let publish: (changeHint: ChangeHint) => void = () => {};
    const going = new AbortController();
    onTestFinished(() => going.abort());
    let listening = 0;
    const hub = hubDouble({
      async *watchEvents(_, __, signal) {
        yield create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: { sequence: 1n } } });
        if (!signal.aborted) await once(signal, "abort");
      },
      onChangeHint(_, listener) {
        publish = listener;
        listening++;
        return () => listening--;
      },
    });
    const server = await runServer(hub);
    const quiet = await fetch(`${server.httpAddress}/v1/events`, { signal: going.signal });
    expect(quiet.status).toBe(200);
    expect(listening).toBe(0);
    const answer = await fetch(`${server.httpAddress}/v1/events?stirs=1`, { signal: going.signal });
    expect(listening).toBe(1);
    publish({ pipelines: ["p-1"], inbox: false, fleet: false });
    publish({ pipelines: ["p-1", "p-2"], inbox: true, fleet: false });
    let text = "";
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes("event: stir")) break;
    }
    const [changeHint] = parse(text).filter(({ event }) => event === "stir");
    expect(changeHint?.data).toEqual({ pipelines: ["p-1", "p-2"], many: false, inbox: true, fleet: false });
    going.abort();
    await expect.poll(() => listening).toBe(0);
  });

  it("passes the filter on", async () => {
    const { server, asked } = await watched([]);
    const filter = 'pipeline_id = "p-1" AND type = "TASK_TRANSITION"';
    await (await fetch(`${server.httpAddress}/v1/events?filter=${encodeURIComponent(filter)}`)).text();
    expect(asked).toMatchObject([{ filter }]);
  });

  it.each([
    "?after=-1",
    "?after=hello",
    "?after=9999999999999999999",
    "?since=5",
    `?filter=${"x".repeat(5_000)}`,
  ])("refuses %.30s before anything begins", async (query) => {
    const { server } = await watched([]);
    const answer = await fetch(`${server.httpAddress}/v1/events${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "invalid_argument",
      details: [{ debug: { fix: /./ } }],
    });
  });

  it("ends with the hub's error as an event", async () => {
    const hub = hubDouble({
      async *watchEvents() {
        yield create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: {} } });
        throw new HubError("invalid", "BATON-HUB-001", "there is no such field", { fix: "use another" });
      },
    });
    const server = await runServer(hub);
    const events = parse(await (await fetch(`${server.httpAddress}/v1/events`)).text());
    expect(events.at(-1)).toMatchObject({
      event: "error",
      data: { code: "BATON-HUB-001", fix: "use another" },
    });
  });

  it("shows a silent stream to be alive, and ends the hub's events when the watcher goes away", async () => {
    const ended = Promise.withResolvers<void>();
    const hub = hubDouble({
      async *watchEvents(_, __, signal) {
        await once(signal, "abort");
        ended.resolve();
        yield* [];
      },
    });
    const server = await runServer(hub, { limits: { heartbeatMs: 10 } });
    const going = new AbortController();
    const answer = await fetch(`${server.httpAddress}/v1/events`, { signal: going.signal });
    const text = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes(": alive\n\n: alive\n\n")) seen += (await text?.read())?.value ?? "";
    going.abort();
    await ended.promise;
  });

  it.each([
    ["plain", "identity"],
    ["compressed", "gzip"],
  ])(
    "waits for a watcher that reads slowly instead of gathering what it has not read, %s",
    async (_, encoding) => {
      const line = randomBytes(15_000).toString("base64");
      let published = 0;
      const hub = hubDouble({
        async *watchEvents() {
          for (; published < 1_000_000; published++) {
            yield create(WatchEventsResponseSchema, {
              message: recordOf(BigInt(published + 1), line),
            });
          }
        },
      });
      const server = await runServer(hub);
      const socket = await open(server.httpAddress);
      socket.pause();
      socket.write(
        `GET /v1/events HTTP/1.1\r\nhost: ${hostOf(server)}\r\naccept-encoding: ${encoding}\r\n\r\n`,
      );
      await expect.poll(() => published).toBeGreaterThan(10);
      let before = -1;
      await expect
        .poll(
          () => {
            const stands = published === before;
            before = published;
            return stands;
          },
          { interval: 100 },
        )
        .toBe(true);
      expect(published).toBeLessThan(2_000);
    },
  );
});

describe("probes", () => {
  it("[TRN-05] learn that the process lives and that the hub takes work", async () => {
    let reason: string | undefined;
    const server = await runServer(hubDouble({ whyNotReady: () => reason }));
    const ask = async (path: string) => {
      const answer = await fetch(`${server.httpAddress}${path}`);
      return [answer.status, await answer.json()];
    };
    expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
    expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
    reason = "the store is full";
    expect(await ask("/readyz")).toEqual([503, { status: "not ready", reason }]);
    expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
  });

  it("[TRN-05] come by any name, as those of Kubernetes do", async () => {
    const server = await runServer();
    const [, answer] = await exchange(
      server,
      "GET /readyz HTTP/1.1\r\nhost: 10.1.2.3\r\nconnection: close\r\n\r\n",
    );
    expect(answer).toContain("200 OK");
  });
});

describe("a client that misbehaves", () => {
  const bad: readonly (readonly [string, string, string])[] = [
    ["no HTTP", "hello\r\n\r\n", "400"],
    ["no host", "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n", "400"],
    ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", "400"],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
      "400",
    ],
    ["headers without end", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, "431"],
  ];
  it.each(bad)("is refused and disconnected: %s", async (_, text, status) => {
    const server = await runServer();
    const [closed, answer] = await exchange(server, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    expect(closed).toBe(true);
  });

  it("finds nothing elsewhere", async () => {
    const server = await runServer();
    const answer = await fetch(`${server.httpAddress}/etc/passwd`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ details: [{ debug: { code: "BATON-SERVER-009" } }] });
    expect((await fetch(`${server.httpAddress}${submitPath}`)).status).toBe(405);
  });

  it("is cut off when its headers do not come, over HTTP/1.1", async () => {
    const server = await runServer(hubDouble(), { limits: { headersTimeoutMs: 50 } });
    const [closed, answer] = await exchange(server, "GET /healthz HTTP/1.1\r\nhost:");
    expect([closed, answer.slice(0, 12)]).toEqual([true, "HTTP/1.1 408"]);
  });

  it.each([
    ["sends nothing", ""],
    ["sends a beginning", "PRI * HTTP/2.0\r\n"],
  ])("is cut off when it %s, over HTTP/2", async (_, text) => {
    const server = await runServer(hubDouble(), { limits: { idleTimeoutMs: 50 } });
    const socket = await open(server.grpcAddress);
    socket.write(text);
    await once(socket.resume(), "close");
  });

  it("is cut off when it does not answer a sign of life, and its stream ends", async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const hub = hubDouble({
      async *watchEvents(_, __, signal) {
        begun.resolve();
        await once(signal, "abort");
        ended.resolve();
        yield* [];
      },
    });
    const server = await runServer(hub, { limits: { heartbeatMs: 30, heartbeatTimeoutMs: 30 } });
    const wire = await cuttable(server.grpcAddress);
    const session = connectHttp2(wire.address);
    onTestFinished(() => session.destroy());
    const stream = session
      .on("error", () => undefined)
      .request({
        ...{ ":method": "POST", ":path": "/vasini.agent.v1.OrchestratorService/WatchEvents" },
        ...{ ":authority": new URL(server.grpcAddress).host, "content-type": "application/grpc" },
      });
    stream.on("error", () => undefined).end(Buffer.from([0, 0, 0, 0, 0]));
    await begun.promise;
    wire.cut();
    await ended.promise;
  });

  it("is asked to stop when it still sends a request that is answered already, over HTTP/2", async () => {
    const server = await runServer();
    const session = connectHttp2(server.grpcAddress);
    onTestFinished(() => session.destroy());
    for (const path of ["/nothing/here", submitPath]) {
      const stream = session.request({
        ":method": "POST",
        ":path": path,
        "content-type": "application/grpc",
      });
      stream.write(Buffer.from([9, 9, 9, 9, 9, 9]));
      await once(stream.resume(), "close");
      expect(stream.rstCode).toBe(0);
    }
  });

  it("is cut off when it takes back more calls than anybody would", async () => {
    const server = await runServer(takingHub().hub, { limits: { resetBurst: 100, resetsPerSecond: 1 } });
    const session = connectHttp2(server.grpcAddress);
    onTestFinished(() => session.destroy());
    session.on("error", () => undefined);
    let open = true;
    session.on("close", () => {
      open = false;
    });
    while (open) {
      const stream = session.request({
        ":method": "POST",
        ":path": submitPath,
        "content-type": "application/grpc",
      });
      stream.on("error", () => undefined).close(8);
      await new Promise(setImmediate);
    }
    expect((await server.post(submitPath, smallTask)).status).toBe(200);
  });
});

async function watched(published: readonly Watched[], config?: TestConfig) {
  const asked: WatchEventsRequest[] = [];
  const hub = hubDouble({
    async *watchEvents(_, request) {
      asked.push(request);
      for (const message of published) yield create(WatchEventsResponseSchema, { message });
    },
  });
  return { server: await runServer(hub, config), asked };
}

/** What a browser makes of a stream of events. */
function parse(text: string) {
  return text
    .split("\n\n")
    .map((block) => Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2))))
    .filter(({ event }) => event !== undefined)
    .map(({ id, event, data }) => ({ id, event, data: JSON.parse(data) }));
}

function hostOf(server: RunningServer): string {
  return new URL(server.httpAddress).host;
}

async function open(address: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Sends raw bytes; returns whether the server ended the connection, and its response. */
async function exchange(
  server: RunningServer,
  text: string,
): Promise<readonly [closed: boolean, answer: string]> {
  const socket = await open(server.httpAddress);
  let answer = "";
  socket.setEncoding("utf8").on("data", (piece) => {
    answer += piece;
  });
  socket.write(text);
  await once(socket, "close");
  return [true, answer];
}

/** A wire to an address that can be cut without notice to either end, as when a machine is unplugged. */
async function cuttable(address: string): Promise<{ readonly address: string; cut(): void }> {
  const ends: Socket[] = [];
  const wire = createServer((near) => {
    const far = connect(Number(new URL(address).port), "127.0.0.1");
    ends.push(near, far);
    near.pipe(far).pipe(near);
    for (const end of [near, far]) end.on("error", () => undefined);
  });
  onTestFinished(() => {
    for (const end of ends) end.destroy();
    wire.close();
  });
  await once(wire.listen(0, "127.0.0.1"), "listening");
  const at = wire.address();
  return {
    address: `http://127.0.0.1:${typeof at === "object" ? at?.port : at}`,
    cut() {
      for (const end of ends) end.unpipe().pause();
    },
  };
}
