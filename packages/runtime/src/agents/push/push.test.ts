import { createServer, type RequestListener } from "node:http";
import { createServer as createHttp2Server, type Http2Server } from "node:http2";
import { agentCaller, announce, heartbeat } from "@baton/conformance/connectors/announce.ts";
import type { Connector } from "@baton/conformance/connectors/connector.ts";
import { listening } from "@baton/conformance/connectors/listening.ts";
import { pushGrpc } from "@baton/conformance/connectors/push-grpc.ts";
import { pushHttpJson } from "@baton/conformance/connectors/push-http-json.ts";
import { babble, raw } from "@baton/conformance/connectors/raw-message.ts";
import { passed, polling, result, Setting, thought } from "@baton/conformance/connectors/setting.ts";
import {
  AgentResultSchema,
  AgentService,
  AgentTransport,
  decodeJson,
  encodeJson,
  GetPipelineRequestSchema,
  ListAuditEntriesRequestSchema,
  RunAgentResponseSchema,
  SendHeartbeatRequestSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { type Empty, EmptySchema } from "@bufbuild/protobuf/wkt";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { ada, TestAgent, task, testHub } from "../../../testing/index.ts";
import type { Store } from "../../ports/store.ts";
import { StoreUnavailable } from "../../ports/store-error.ts";
import { openMemoryStore } from "../../stores/index.ts";

/** An agent that is a web server with one handler. */
function webServer(handler: RequestListener): Connector {
  return {
    name: "a web server",
    async connectAgent(hub) {
      const { uri } = await listening(createServer(handler));
      const returnTo = () => announce(hub, { uri, transport: AgentTransport.HTTP_JSON });
      await returnTo();
      return { returnTo };
    },
  };
}

/** An agent that says one thing, whatever it is. */
function reporting(reported: Empty): Connector {
  const { runAgent } = AgentService.method;
  const handler = connectNodeAdapter({
    routes: (router) =>
      router.rpc({ ...runAgent, output: EmptySchema }, async function* () {
        yield reported;
      }),
  });
  return grpcAgent(createHttp2Server(handler));
}

function grpcAgent(server: Http2Server): Connector {
  return {
    name: "a gRPC server",
    async connectAgent(hub) {
      const { uri } = await listening(server);
      const returnTo = () => announce(hub, { uri, transport: AgentTransport.GRPC });
      await returnTo();
      return { returnTo };
    },
  };
}

const silent = async () => {};

/** Why the only attempt at a task failed. */
async function failureOf(setting: Setting): Promise<string> {
  const pipelineId = await setting.submit({ maxAttempts: 1 });
  const read = async () => {
    const { pipeline } = await setting.hub.getPipeline(ada, create(GetPipelineRequestSchema, { pipelineId }));
    return pipeline?.statusReason ?? "";
  };
  await expect.poll(read, polling).not.toBe("");
  const { pipeline } = await setting.hub.getPipeline(ada, create(GetPipelineRequestSchema, { pipelineId }));
  return pipeline?.stages[0]?.waitingFor ?? "";
}

describe("an agent that answers over plain HTTP", () => {
  it("[TRN-01] may answer with one AgentResult and nothing else", async () => {
    const agent = webServer(async (request, response) => {
      const envelope = decodeJson(TaskEnvelopeSchema, Buffer.concat(await request.toArray()));
      response.setHeader("content-type", "application/json; charset=utf-8");
      response.end(encodeJson(AgentResultSchema, resultFor(envelope)));
    });
    const setting = await Setting.of(agent, silent);
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 1, record: passed(1) });
  });

  it.each([
    ["one AgentResult", "application/json", '{"status": 5}'],
    ["a line", "application/x-ndjson", '{"result": {"status": 5}}\n'],
  ])("[DIS-14] is refused when its result cannot be read as %s", async (_form, type, body) => {
    const agent = webServer((request, response) => {
      request.resume();
      response.setHeader("content-type", type);
      response.end(body);
    });
    const setting = await Setting.of(agent, silent);
    const pipelineId = await setting.submit({ maxAttempts: 1 });
    await setting.shows(pipelineId, { status: "PAUSED", attempts: 1, record: ["1: refused a result"] });
  });

  it.each([
    ["a redirect", 307, "the agent refused it with status 307"],
    ["no such task", 404, "the agent refused it with status 404"],
    ["no room", 429, "the agent is busy (status 429)"],
    ["an error of its own", 500, "the agent failed with status 500"],
  ])("[DIS-12] is not taken to work on what it answers with %s", async (_what, status, reason) => {
    let calls = 0;
    const agent = webServer((request, response) => {
      if (request.url === "/run") calls++;
      request.resume();
      response.writeHead(status, { location: "/run" }).end("secret-of-another-service");
    });
    const setting = await Setting.of(agent, silent);
    const failure = await failureOf(setting);
    expect(failure).toContain(reason);
    expect(failure).not.toContain("secret");
    expect(calls).toBe(1);
  });

  it.each([
    ["its answer is no JSON lines", "text/html", "<p>hello</p>", "something else than JSON"],
    ["it says nothing", "application/x-ndjson", "", "without a result"],
    [
      "a line has no end",
      "application/x-ndjson",
      `{"event": "${"x".repeat(2_000)}`,
      "longer than 1000 bytes",
    ],
    ["it only makes room", "application/x-ndjson", "\n".repeat(500), "more than 100 messages"],
  ])("[DIS-17] is lost when %s", async (_what, type, body, reason) => {
    const agent = webServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": type }).end(body);
    });
    const limits = { messageBytes: 1_000, runMessages: 100 };
    const setting = await Setting.of(agent, silent, { push: { limits } });
    expect(await failureOf(setting)).toContain(reason);
  });
});

it("[DIS-13] reads an attempt only for a moment after its result", async () => {
  const hungUp = Promise.withResolvers<void>();
  const agent = webServer(async (request, response) => {
    response.once("close", () => hungUp.resolve());
    const envelope = decodeJson(TaskEnvelopeSchema, Buffer.concat(await request.toArray()));
    const reported = create(RunAgentResponseSchema, { message: result(envelope) });
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(`${encodeJson(RunAgentResponseSchema, reported)}\n`);
  });
  const setting = await Setting.of(agent, silent, { push: { limits: { lingerMs: 10 } } });
  await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 1, record: passed(1) });
  await hungUp.promise;
});

it("[DIS-13] reads an attempt only for a moment after it was cancelled", async () => {
  const hungUp = Promise.withResolvers<void>();
  const agent = webServer((request, response) => {
    request.resume();
    if (request.url === "/run") response.once("close", () => hungUp.resolve());
    else response.end();
  });
  const setting = await Setting.of(agent, silent, { push: { limits: { lingerMs: 10 } } });
  await setting.submit({ maxAttempts: 1, timeoutMs: 50 });
  await hungUp.promise;
});

describe("an agent that answers over gRPC", () => {
  const resultField = 3;

  it("[DIS-12] may say that it has no room after the headers of its answer", async () => {
    const server = createHttp2Server();
    server.on("stream", (stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
      stream.once("wantTrailers", () =>
        stream.sendTrailers({ "grpc-status": "8", "grpc-message": "no room" }),
      );
      setImmediate(() => stream.end());
    });
    const setting = await Setting.of(grpcAgent(server), silent);
    const failure = await failureOf(setting);
    expect(failure).toContain("the agent refused it with status resource_exhausted");
    expect(failure).not.toContain("no room");
  });

  it("[DIS-14] is refused when its result cannot be read", async () => {
    const setting = await Setting.of(reporting(babble(resultField)), silent);
    const pipelineId = await setting.submit({ maxAttempts: 1 });
    await setting.shows(pipelineId, { status: "PAUSED", attempts: 1, record: ["1: refused a result"] });
  });

  it("[DIS-17] is lost when a message is larger than the limit", async () => {
    const { message } = create(RunAgentResponseSchema, { message: thought(0) });
    const long = raw(RunAgentResponseSchema, create(RunAgentResponseSchema, { message }));
    const push = { limits: { messageBytes: 20 } };
    const setting = await Setting.of(reporting(long), silent, { push });
    const pipelineId = await setting.submit({ maxAttempts: 1 });
    await setting.shows(pipelineId, { status: "PAUSED", attempts: 1, record: ["1: the agent was lost"] });
  });
});

describe.each([pushGrpc, pushHttpJson])("$name", (connector) => {
  it("[DIS-17] loses an attempt that sends more messages than the limit, and ends its call", async () => {
    const setting = await Setting.of(
      connector,
      async ({ say }) => {
        for (let index = 0; index < 200; index++) say(thought(index));
      },
      { push: { limits: { runMessages: 100 } } },
    );
    expect(await failureOf(setting)).toBe("it sent more than 100 messages");
  });

  it("[DIS-17] loses an attempt that sends more bytes than the limit", async () => {
    const setting = await Setting.of(
      connector,
      async ({ say }) => {
        for (let index = 0; index < 200; index++) say(thought(index));
      },
      { push: { limits: { runBytes: 4_000 } } },
    );
    expect(await failureOf(setting)).toBe("it sent more than 4000 bytes");
  });
});

it.each([
  ["gRPC", AgentTransport.GRPC],
  ["HTTP", AgentTransport.HTTP_JSON],
])(
  "[DIS-12] says of an agent that is not there over %s that it cannot be reached",
  async (_name, transport) => {
    const nobody: Connector = {
      name: "nobody",
      async connectAgent(hub) {
        const returnTo = () => announce(hub, { uri: "http://127.0.0.1:1", transport });
        await returnTo();
        return { returnTo };
      },
    };
    expect(await failureOf(await Setting.of(nobody, silent))).toContain("the agent cannot be reached");
  },
);

it("shows the agent its token, and keeps it out of the record when the agent quotes it", async () => {
  const token = "a-token-that-nobody-else-sees";
  const headers: (string | undefined)[] = [];
  const agent = webServer((request, response) => {
    headers.push(request.headers.authorization);
    request.resume();
    response.writeHead(401).end(`${token} is wrong`);
  });
  const tokenOf = ({ packId }: { packId: string }) => (packId === "dev" ? token : undefined);
  const setting = await Setting.of(agent, silent, { push: { tokenOf } });
  expect(await failureOf(setting)).toContain("the agent refused it with status 401");
  expect(headers).toEqual([`Bearer ${token}`]);
  const { entries } = await setting.hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema));
  const text = JSON.stringify(entries, (_key, value) => (typeof value === "bigint" ? `${value}` : value));
  expect(text).not.toContain(token);
});

it("[DIS-03] calls an agent where its last heartbeat says it is", async () => {
  const called: string[] = [];
  const at = (name: string) =>
    webServer(async (request, response) => {
      called.push(name);
      const envelope = decodeJson(TaskEnvelopeSchema, Buffer.concat(await request.toArray()));
      response.setHeader("content-type", "application/json");
      response.end(encodeJson(AgentResultSchema, resultFor(envelope)));
    });
  const setting = await Setting.of(at("before"), silent);
  await at("after").connectAgent(setting.hub, silent);
  await setting.ends(await setting.submit());
  expect(called).toEqual(["after"]);
});

it("[DIS-03] ends the calls of an agent whose lease has run out", async () => {
  const hungUp = Promise.withResolvers<void>();
  const { uri } = await listening(
    createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
      if (request.url === "/run") response.once("close", () => hungUp.resolve());
      else response.end();
    }),
  );
  const hub = await testHub({ push: { limits: { leaseSlackMs: 1 } } });
  await announce(hub, { uri, transport: AgentTransport.HTTP_JSON }, 1);
  await hub.submitTask(ada, task());
  await hungUp.promise;
  await hub.drain(0);
});

it("[DIS-03] keeps a push agent after the store has failed for a while", async () => {
  const store = openMemoryStore();
  const full = new StoreUnavailable("BATON-STORE-004", "the disk is full", {
    fix: "make room",
    mayPass: true,
  });
  let fails = false;
  const flaky = new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === "commit" && fails) return () => Promise.reject(full);
      return target[name].bind(target);
    },
  });
  const setting = await Setting.of(pushGrpc, async ({ envelope, say }) => say(result(envelope)), {
    store: flaky,
    onProblem: () => {},
    limits: { retryStore: { firstMs: 1, maxMs: 1 } },
  });
  fails = true;
  await expect(setting.submit()).rejects.toMatchObject({ kind: "unavailable" });
  fails = false;
  await expect.poll(() => setting.hub.whyNotReady(), polling).toBeUndefined();
  await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 1, record: passed(1) });
});

it("reaches an attached agent over its stream, whatever address it states", async () => {
  const hub = await testHub();
  const agent = new TestAgent(hub, { packId: "dev" });
  await agent.receive("welcome");
  const endpoint = { uri: "http://127.0.0.1:1", transport: AgentTransport.GRPC };
  const request = create(SendHeartbeatRequestSchema, { heartbeat: heartbeat(endpoint) });
  await hub.sendHeartbeat(agentCaller, request);
  await hub.submitTask(ada, task());
  await agent.receive("dispatch");
  await hub.drain(0);
});

it.each([
  ["ftp://127.0.0.1/", AgentTransport.GRPC, "BATON-PUSH-001"],
  ["http://ada:secret@127.0.0.1:7500", AgentTransport.GRPC, "BATON-PUSH-001"],
  ["http://127.0.0.1:7500/?key=secret", AgentTransport.HTTP_JSON, "BATON-PUSH-001"],
  ["somewhere", AgentTransport.HTTP_JSON, "BATON-PUSH-001"],
  ["http://169.254.169.254/", AgentTransport.HTTP_JSON, "BATON-PUSH-002"],
  ["http://0xa.1/", AgentTransport.HTTP_JSON, "BATON-PUSH-002"],
  ["http://[::ffff:10.0.0.1]/", AgentTransport.GRPC, "BATON-PUSH-002"],
  ["http://127.0.0.1:7500", AgentTransport.EVENT_BUS, "BATON-PUSH-003"],
])("refuses the heartbeat of an agent at %s (%i), and gives it no work", async (uri, transport, code) => {
  const hub = await testHub();
  const refused = await announce(hub, { uri, transport }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: "HubError", code, fix: expect.stringMatching(/./) });
  expect(String(refused)).not.toContain("secret");
  const { pipeline } = await hub.submitTask(ada, task());
  expect(pipeline?.stages[0]?.waitingFor).toContain("agent");
  await hub.drain(0);
});
