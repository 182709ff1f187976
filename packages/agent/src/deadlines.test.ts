import { once } from "node:events";
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import {
  AttachAgentResponseSchema,
  encodeBinary,
  RegisterAgentResponseSchema,
  RegistryService,
} from "@baton/contract";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Mailbox, runTask } from "../testing/index.ts";
import { joinFrames } from "./attach/frames.ts";
import { startAgent } from "./attach/start-agent.ts";
import { limits } from "./limits.ts";
import { serveAgent } from "./serve/serve-agent.ts";

const { registerAgent, sendHeartbeat } = RegistryService.method;

/** A hub below the level of gRPC: the test answers each stream itself. */
async function startHub(answer: (stream: ServerHttp2Stream, path: string) => void) {
  const calls = new Mailbox<string>();
  const server = createServer();
  server.on("session", (session) => session.on("error", () => {})); // The agent resets sessions that it gave up.
  server.on("stream", (stream, { ":path": path = "" }) => {
    stream.on("error", () => {});
    answer(stream, path);
    calls.put(path);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    vi.useRealTimers();
    server.close();
  });
  const hub = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = {
    ...{ pack: "qa", version: "1.0.0", taskTypes: ["write-tests"], hub, handleSignals: false },
    run: () => Promise.reject(new Error("it has no task")),
    onProblem: () => {},
  };
  return { options, calls };
}

/** GOAWAY and the end of stream and connection at the same time: Node reports no error for a call on it. */
function cutOff(stream: ServerHttp2Stream): void {
  stream.session?.goaway(0, stream.id);
  stream.session?.close();
  stream.close(0);
}

function send<Desc extends DescMessage>(
  stream: ServerHttp2Stream,
  schema: Desc,
  message: MessageInitShape<Desc>,
): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
  stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.write(joinFrames([encodeBinary(schema, create(schema, message))]));
}

const gaveUp = { code: "BATON-SDK-003" };

describe("a hub that sends GOAWAY and closes at the same time", () => {
  it.each([registerAgent, sendHeartbeat])("does not block $name beyond its deadline", async (method) => {
    const { options, calls } = await startHub((stream, path) => {
      if (path.endsWith(method.name)) return cutOff(stream);
      send(stream, RegisterAgentResponseSchema, {});
      stream.end();
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const failed = expect(serveAgent({ ...options, giveUpAfterMs: 0 })).rejects.toMatchObject(gaveUp);
    while (!(await calls.take()).endsWith(method.name));
    await vi.advanceTimersByTimeAsync(limits.answerMs);
    await failed;
  });

  it("does not block an attached agent, which reconnects before and after the welcome", async () => {
    let count = 0;
    const welcome = { message: { case: "welcome", value: { sessionId: "s" } } } as const;
    const { options, calls } = await startHub((stream) => {
      count++;
      if (count > 1) send(stream, AttachAgentResponseSchema, welcome);
      if (count < 3) cutOff(stream);
    });
    const agent = await startAgent(options);
    for (let opened = 0; opened < 3; opened++) await calls.take();
    await expect.poll(() => agent.state).toBe("attached");
    await agent.close({ graceMs: 0 });
  });
});

it("an agent does not wait for the welcome beyond its deadline", async () => {
  const { options, calls } = await startHub(() => {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const failed = expect(startAgent({ ...options, giveUpAfterMs: 0 })).rejects.toMatchObject({
    ...gaveUp,
    message: expect.stringContaining(`did not welcome the agent within ${limits.answerMs} ms`),
  });
  await calls.take();
  await vi.advanceTimersByTimeAsync(limits.answerMs);
  await failed;
});

it("a test does not wait for the answer of a hub beyond its deadline", async () => {
  const { options, calls } = await startHub(() => {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const failed = expect(runTask({ hub: options.hub, taskType: "writing" })).rejects.toMatchObject({
    code: Code.DeadlineExceeded,
  });
  await calls.take();
  await vi.advanceTimersByTimeAsync(limits.testAnswerMs);
  await failed;
});
