import {
  type AttachAgentRequest,
  AttachAgentResponseSchema,
  AuditService,
  ErrorDetailSchema,
  ExportAuditResponseSchema,
  ListAuditEntriesResponseSchema,
  ListPipelinesResponseSchema,
  OrchestratorService,
  RegistryService,
  VerifyAuditResponseSchema,
  type WatchEventsRequest,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { type Caller, HubError, type HubErrorKind } from "@baton/runtime";
import { testHub, VirtualClock } from "@baton/runtime/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { collect } from "../../testing/collect.ts";
import { hubDouble, takingHub } from "../../testing/hub-double.ts";
import { type RunningServer, runServer, smallTask, smallTaskMessage } from "../../testing/running-server.ts";

const compressed = { sendCompression: compressionGzip, compressMinBytes: 0 };
const getBody = Buffer.from('{"pipelineId":"p-1"}');
const submitPath = "/vasini.agent.v1.OrchestratorService/SubmitTask";

describe("the services", () => {
  const protocols: readonly (readonly [string, (server: RunningServer) => Transport])[] = [
    ["gRPC", ({ grpcAddress: baseUrl }) => createGrpcTransport({ baseUrl })],
    ["gRPC with compression", ({ grpcAddress: baseUrl }) => createGrpcTransport({ baseUrl, ...compressed })],
    ["gRPC-web", ({ httpAddress: baseUrl }) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
    ["Connect", ({ httpAddress: baseUrl }) => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
    [
      "Connect over HTTP/2",
      ({ grpcAddress: baseUrl }) => createConnectTransport({ baseUrl, httpVersion: "2" }),
    ],
    [
      "Connect with JSON, compressed",
      ({ httpAddress: baseUrl }) =>
        createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false, ...compressed }),
    ],
  ];
  it.each(protocols)("[TRN-01] take the same task over %s", async (_, transportTo) => {
    const { hub, callers } = takingHub();
    const server = await runServer(hub);
    const client = createClient(OrchestratorService, transportTo(server));
    const { pipeline } = await client.submitTask(smallTaskMessage);
    expect(pipeline?.pipelineId).toBe("key-1");
    expect(callers).toMatchObject([{ tenantId: "local", id: "local", kind: "human" }]);
    const [received] = await collect(client.watchEvents({}));
    expect(received?.message).toMatchObject({ case: "caughtUp", value: { sequence: 7n } });
    expect((await failure(client.pausePipeline({}))).findDetails(ErrorDetailSchema)).toHaveLength(1);
  });

  it("[TRN-01] accept it as JSON from every client that can post", async () => {
    const answer = await (await runServer(takingHub().hub)).post(submitPath, smallTask);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ pipeline: { pipelineId: "key-1" } });
  });

  it("[CON-03] report which field of a request breaks a rule, over both", async () => {
    const server = await runServer(takingHub().hub);
    const byGrpc = await failure(server.client(OrchestratorService).submitTask({ idempotencyKey: "key-1" }));
    expect(byGrpc.code).toBe(Code.InvalidArgument);
    expect(detailOf(byGrpc)).toMatchObject({ code: "BATON-CONTRACT-004" });
    expect(detailOf(byGrpc)?.violations.map(({ field }) => field)).toContain("contract");
    const byHttp = await server.post(submitPath, { idempotencyKey: "key-1" });
    expect(byHttp.status).toBe(400);
    expect(await byHttp.json()).toMatchObject({
      code: "invalid_argument",
      details: [{ type: "vasini.agent.v1.ErrorDetail", debug: { code: "BATON-CONTRACT-004" } }],
    });
  });

  it("[CON-04] [DIS-15] refuse a deadline that has passed, unless the task was taken before it did", async () => {
    const clock = new VirtualClock();
    const server = await runServer(await testHub({ clock }));
    const deadline = new Date(clock.nowMs() + 60_000).toISOString();
    const submit = (key: string) =>
      server.post(submitPath, { ...smallTask, idempotencyKey: key, deadline }).then(async (answer) => ({
        status: answer.status,
        text: await answer.text(),
      }));
    expect(await submit("in time")).toMatchObject({ status: 200 });
    await clock.pass(120_000);
    expect(await submit("in time")).toMatchObject({
      status: 200,
      text: expect.stringContaining('"existing":true'),
    });
    expect(await submit("too late")).toMatchObject({
      status: 400,
      text: expect.stringContaining("deadline.after_now"),
    });
  });

  it("refuse a misspelt field of a person, and accept what a newer agent adds", async () => {
    const { hub } = takingHub({
      registerAgent: async () => create(RegistryService.method.registerAgent.output),
    });
    const server = await runServer(hub);
    const misspelt = await server.post(submitPath, { ...smallTask, taskTyp: "implement" });
    expect(misspelt.status).toBe(400);
    expect(await misspelt.text()).toContain("did you mean");
    const newer = { manifest: { packId: "dev", packVersion: "1.0.0", mood: "good" } };
    const registered = await server.post("/vasini.agent.v1.RegistryService/RegisterAgent", newer);
    expect(registered.status).toBe(200);
  });

  const kinds: readonly (readonly [HubErrorKind, Code])[] = [
    ["invalid", Code.InvalidArgument],
    ["not-found", Code.NotFound],
    ["precondition", Code.FailedPrecondition],
    ["exists", Code.AlreadyExists],
    ["denied", Code.PermissionDenied],
    ["exhausted", Code.ResourceExhausted],
    ["unavailable", Code.Unavailable],
    ["internal", Code.Internal],
  ];
  it.each(kinds)("return the hub's error %s with its code and the whole detail", async (kind, code) => {
    const problem = new HubError(kind, "BATON-PIPELINE-002", "it is over", {
      fix: "submit it again",
      violations: [{ field: "pipeline_id", rule: "ended", message: "has ended" }],
      retryAfterMs: 1_500,
    });
    const hub = hubDouble({ getPipeline: () => Promise.reject(problem) });
    const server = await runServer(hub);
    const error = await failure(server.client(OrchestratorService).getPipeline({ pipelineId: "p-1" }));
    expect(error.code).toBe(code);
    expect(detailOf(error)).toMatchObject({
      code: "BATON-PIPELINE-002",
      message: "it is over",
      fix: "submit it again",
      violations: [{ field: "pipeline_id", rule: "ended", message: "has ended" }],
      retryAfter: { seconds: 1n, nanos: 500_000_000 },
    });
  });

  it("return a reference for an unexpected error, and log the rest under it", async () => {
    const hub = hubDouble({ getPipeline: () => Promise.reject(new Error("password is swordfish")) });
    const server = await runServer(hub);
    const error = await failure(server.client(OrchestratorService).getPipeline({ pipelineId: "p-1" }));
    expect(error.code).toBe(Code.Internal);
    expect(JSON.stringify([error.message, detailOf(error)?.fix])).not.toContain("swordfish");
    const [reference] = /[0-9a-f-]{36}/.exec(error.message) ?? [];
    expect(server.log).toContainEqual(expect.objectContaining({ level: 50, reference }));
  });

  it("have pages of at most a thousand", async () => {
    const asked: number[] = [];
    const listPipelines = async (_: Caller, { pageSize }: { pageSize: number }) => {
      asked.push(pageSize);
      return create(ListPipelinesResponseSchema);
    };
    const client = (await runServer(hubDouble({ listPipelines }))).client(OrchestratorService);
    await client.listPipelines({ pageSize: 1_000_000 });
    await client.listPipelines({ pageSize: 0 });
    expect(asked).toEqual([1_000, 0]);
  });

  it("[CON-05] list, prove, verify, sign and export the audit record", async () => {
    const hub = hubDouble({
      listAuditEntries: async () => create(ListAuditEntriesResponseSchema, { nextPageToken: "next" }),
      verifyAudit: async (_, { checkpoint }) =>
        create(VerifyAuditResponseSchema, { valid: true, vouchedThrough: checkpoint?.sequence ?? 0n }),
      async *exportAudit(_, { pipelineId }) {
        yield create(ExportAuditResponseSchema, { piece: Buffer.from(pipelineId) });
        yield create(ExportAuditResponseSchema, { piece: Buffer.from("!") });
      },
    });
    const client = (await runServer(hub)).client(AuditService);
    expect((await client.listAuditEntries({})).nextPageToken).toBe("next");
    const kept = { tenantId: "acme", sequence: 7n, entryHash: Buffer.alloc(32), rootHash: Buffer.alloc(32) };
    expect(await client.verifyAudit({ checkpoint: kept })).toMatchObject({ valid: true, vouchedThrough: 7n });
    const pieces = await collect(client.exportAudit({ pipelineId: "p-1" }));
    expect(Buffer.concat(pieces.map(({ piece }) => piece)).toString()).toBe("p-1!");
    expect((await failure(client.getAuditProof({ auditId: "a" }))).code).toBe(Code.NotFound);
    expect((await failure(client.getAuditCheckpoint({}))).code).toBe(Code.NotFound);
  });

  it("[TUR-04] stream events from where the watcher was", async () => {
    const asked: WatchEventsRequest[] = [];
    const hub = hubDouble({
      async *watchEvents(_, request) {
        asked.push(request);
        yield create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: { sequence: 7n } } });
      },
    });
    const client = (await runServer(hub)).client(OrchestratorService);
    const received = await collect(client.watchEvents({ afterSequence: 5n }));
    expect(received.map(({ message }) => message.value)).toMatchObject([{ sequence: 7n }]);
    expect(asked).toMatchObject([{ afterSequence: 5n }]);
  });

  it("end the hub's events when the watcher goes away", async () => {
    const ended = Promise.withResolvers<void>();
    const hub = hubDouble({
      async *watchEvents(_, __, signal) {
        signal.addEventListener("abort", () => ended.resolve());
        yield create(WatchEventsResponseSchema, { message: { case: "caughtUp", value: {} } });
        await ended.promise;
      },
    });
    const client = (await runServer(hub)).client(OrchestratorService);
    const going = new AbortController();
    const watching = failure(
      (async () => {
        for await (const _ of client.watchEvents({}, { signal: going.signal })) going.abort();
      })(),
    );
    await ended.promise;
    expect((await watching).code).toBe(Code.Canceled);
  });
});

const hello: MessageInitShape<typeof RegistryService.method.attachAgent.input> = {
  sequence: 1n,
  message: {
    case: "hello",
    value: {
      manifest: { packId: "dev", packVersion: "1.0.0" },
      heartbeat: { packId: "dev", instanceId: "dev-1" },
    },
  },
};

const acknowledge = ({ sequence }: AttachAgentRequest) =>
  create(AttachAgentResponseSchema, { message: { case: "acknowledged", value: { sequence } } });

describe("an attached agent", () => {
  it("[TRN-01] and the hub speak both ways on one stream", async () => {
    const received: AttachAgentRequest[] = [];
    const callers: Caller[] = [];
    const hub = hubDouble({
      async *attachAgent(caller, requests) {
        callers.push(caller);
        for await (const request of requests) {
          received.push(request);
          yield acknowledge(request);
        }
      },
    });
    const client = (await runServer(hub)).client(RegistryService, null);
    async function* says() {
      yield hello;
      yield {
        sequence: 2n,
        message: { case: "heartbeat", value: { packId: "dev", instanceId: "dev-1" } },
      } as const;
    }
    const answers = await collect(client.attachAgent(says()));
    expect(answers.map(({ message }) => message.value)).toMatchObject([{ sequence: 1n }, { sequence: 2n }]);
    expect(received.map(({ message }) => message.case)).toEqual(["hello", "heartbeat"]);
    expect(callers).toEqual([{ tenantId: "local", id: "local", kind: "agent" }]);
  });

  it("is not let in when its hello breaks a rule", async () => {
    const hub = hubDouble({
      async *attachAgent(_, requests) {
        for await (const request of requests) yield acknowledge(request);
      },
    });
    const client = (await runServer(hub)).client(RegistryService);
    async function* says() {
      yield { sequence: 0n };
    }
    const error = await failure(collect(client.attachAgent(says())));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(detailOf(error)?.violations.map(({ field }) => field)).toContain("sequence");
  });

  it("leaves to the hub what is wrong with a later message", async () => {
    const received: AttachAgentRequest[] = [];
    const hub = hubDouble({
      async *attachAgent(_, requests) {
        for await (const request of requests) {
          received.push(request);
          yield acknowledge(request);
        }
      },
    });
    const client = (await runServer(hub)).client(RegistryService);
    async function* says() {
      yield hello;
      yield { sequence: 2n };
    }
    await collect(client.attachAgent(says()));
    expect(received).toHaveLength(2);
  });

  it("learns that the hub ended the stream, although it would send more", async () => {
    const hub = hubDouble({
      async *attachAgent() {
        yield create(AttachAgentResponseSchema, { message: { case: "drain", value: { reason: "bye" } } });
      },
    });
    const client = (await runServer(hub)).client(RegistryService);
    async function* says() {
      yield hello;
      await new Promise(() => undefined);
    }
    const received = await collect(client.attachAgent(says()));
    expect(received.map(({ message }) => message.case)).toEqual(["drain"]);
  });
});

describe("the time of a call", () => {
  it("runs out by the caller's deadline, although the hub still works", async () => {
    const hub = hubDouble({ getPipeline: () => new Promise(() => undefined) });
    const server = await runServer(hub);
    const byHttp = await server.post(
      "/vasini.agent.v1.OrchestratorService/GetPipeline",
      { pipelineId: "p-1" },
      { "connect-timeout-ms": "30" },
    );
    expect(byHttp.status).toBe(504);
    expect(await byHttp.json()).toMatchObject({ code: "deadline_exceeded" });
    const client = server.client(OrchestratorService);
    const byGrpc = await failure(client.getPipeline({ pipelineId: "p-1" }, { timeoutMs: 30 }));
    expect(byGrpc.code).toBe(Code.DeadlineExceeded);
  });

  it.each([
    [
      "grpc-timeout",
      "99999999H",
      "application/grpc-web+json",
      Buffer.concat([Buffer.from([0, 0, 0, 0, 20]), getBody]),
    ],
    ["connect-timeout-ms", "9999999999", "application/json", getBody],
  ])("does not run out when %s lies further ahead than a timer can wait", async (name, value, type, body) => {
    const server = await runServer(takingHub().hub);
    const answer = await fetch(`${server.httpAddress}/vasini.agent.v1.OrchestratorService/GetPipeline`, {
      method: "POST",
      headers: { "content-type": type, [name]: value },
      body,
    });
    expect(await answer.text()).toContain('"p-1"');
  });

  it("runs out by the server's limit when the caller has set none", async () => {
    const hub = hubDouble({ getPipeline: () => new Promise(() => undefined) });
    const server = await runServer(hub, { limits: { callTimeoutMs: 30 } });
    const error = await failure(server.client(OrchestratorService).getPipeline({ pipelineId: "p-1" }));
    expect(error.code).toBe(Code.DeadlineExceeded);
    expect(detailOf(error)?.code).toBe("BATON-SERVER-008");
  });
});

describe("the log", () => {
  it("[OBS-01] has one line for each call, in the caller's trace, without what was sent", async () => {
    const { hub, callers } = takingHub();
    const server = await runServer(hub);
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const answer = await server.post(submitPath, smallTask, {
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    });
    await answer.text();
    expect(answer.headers.get("traceresponse")).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    await server.close(1_000);
    expect(server.log.filter(({ msg }) => msg === "call")).toEqual([
      expect.objectContaining({
        ...{ level: 30, method: "vasini.agent.v1.OrchestratorService/SubmitTask", code: "ok" },
        ...{ durationMs: expect.any(Number), tenant: "local", caller: "local" },
        ...{ traceId, parentSpanId: "00f067aa0ba902b7" },
      }),
    ]);
    expect(JSON.stringify(server.log)).not.toContain(smallTask.contract.title);
    expect(callers, "the hub goes on with the trace").toMatchObject([{ traceId }]);
  });

  it.each([
    ["is not one", "hello"],
    ["is of no trace", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"],
    ["is of a version that cannot be", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
  ])("[OBS-01] begins a trace when the caller's %s", async (_, traceparent) => {
    const server = await runServer(takingHub().hub);
    const answer = await server.post(submitPath, smallTask, { traceparent });
    expect(answer.headers.get("traceresponse")).toMatch(/^00-(?!0{32}|4bf9)[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it("logs a call that found nothing at debug only, since asking whether something exists is no error", async () => {
    const nothing = new HubError("not-found", "BATON-PIPELINE-003", "there is none", { fix: "list them" });
    const hub = hubDouble({ getPipeline: () => Promise.reject(nothing) });
    const server = await runServer(hub);
    await (
      await server.post(submitPath.replace(/SubmitTask$/, "GetPipeline"), { pipelineId: "p-none" })
    ).text();
    await server.close(1_000);
    const calls = server.log.filter(({ msg }) => msg === "call");
    expect(calls.filter(({ level }) => Number(level) >= 30)).toEqual([]);
  });

  it("says how a call ended that was refused", async () => {
    const server = await runServer(takingHub().hub);
    await (await server.post(submitPath, {})).text();
    await server.close(1_000);
    expect(server.log).toContainEqual(expect.objectContaining({ msg: "call", code: "invalid_argument" }));
  });
});

async function failure(promise: Promise<unknown>): Promise<ConnectError> {
  return ConnectError.from(
    await promise.then(
      () => new Error("it did not fail"),
      (error: unknown) => error,
    ),
  );
}

function detailOf(error: ConnectError) {
  return error.findDetails(ErrorDetailSchema)[0];
}
