import { once } from "node:events";
import { createServer, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { OrchestratorService } from "@baton/contract";
import { Code, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { boundCalls } from "./bound-calls.ts";
import { connectHub, type Hub } from "./connect-hub.ts";

const soon = { callTimeoutMs: 50, streamIdleMs: 50 };

/** A server that treats every stream the same way. */
async function serve(onStream: (stream: ServerHttp2Stream) => void): Promise<URL> {
  const sessions = new Set<Http2Session>();
  const server = createServer();
  server.on("session", (session) => sessions.add(session.on("error", () => {})));
  server.on("stream", (stream) => onStream(stream.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function connect(...parameters: Parameters<typeof connectHub>): Hub {
  const hub = connectHub(...parameters);
  onTestFinished(() => hub.close());
  return hub;
}

async function collect(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const calls = {
  "a call": (hub: Hub) => hub.orchestrator.getPipeline({ pipelineId: "p-1" }),
  "a stream": (hub: Hub) => collect(hub.orchestrator.watchEvents({})),
};

describe.each(Object.entries(calls))("%s that is cut off", (_, call) => {
  it("fails at once when the hub says goaway and closes in the same moment", async () => {
    const address = await serve((stream) => {
      stream.session?.goaway(0, stream.id);
      stream.session?.close();
      stream.close(0);
    });
    await expect(call(connect(address, undefined))).rejects.toMatchObject({ code: Code.Unavailable });
  });

  it("fails at its deadline when the hub never answers", async () => {
    const hub = connect(await serve(() => {}), undefined, soon);
    await expect(call(hub)).rejects.toMatchObject({
      code: Code.DeadlineExceeded,
      cause: { name: "TimeoutError" },
    });
  });

  it("fails at its deadline when what listens never speaks HTTP/2", async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const hub = connect(new URL(`http://127.0.0.1:${port}`), undefined, soon);
    await expect(call(hub)).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  });

  it("fails with the reason when it is cancelled", async () => {
    const hub = connect(await serve(() => {}), undefined);
    const cancelled = new AbortController();
    const failed = Promise.allSettled([
      hub.orchestrator.getPipeline({}, { signal: cancelled.signal }),
      collect(hub.orchestrator.watchEvents({}, { signal: cancelled.signal })),
    ]);
    cancelled.abort();
    for (const outcome of await failed)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: Code.Canceled } });
  });
});

it("fails a stream that falls silent, after what came before, and ends the request", async () => {
  const requested = Promise.withResolvers<AbortSignal>();
  const transport = createRouterTransport(
    ({ service }) =>
      service(OrchestratorService, {
        async *watchEvents(_, { signal }) {
          requested.resolve(signal);
          yield { message: { case: "caughtUp", value: { sequence: 3n } } };
          await new Promise(() => {}); // Not even the end of the request ends it.
        },
      }),
    { transport: { interceptors: [boundCalls({ callTimeoutMs: 60_000, streamIdleMs: 500 })] } },
  );
  const received: unknown[] = [];
  const watching = (async () => {
    for await (const { message } of createClient(OrchestratorService, transport).watchEvents({}))
      received.push(message.case);
  })();
  await expect(watching).rejects.toMatchObject({ code: Code.DeadlineExceeded });
  expect(received).toEqual(["caughtUp"]);
  expect((await requested.promise).aborted).toBe(true);
});
