import { request } from "node:http";
import {
  AgentService,
  AgentTransport,
  CancelAgentResponseSchema,
  CancelOutcome,
  decodeJson,
  ErrorDetailSchema,
  encodeJson,
  Outcome,
  type RunAgentResponse,
  RunAgentResponseSchema,
  type TaskEnvelope,
  TaskEnvelopeSchema,
  validate,
} from "@baton/contract";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { envelope, HubDouble, type HubDoubleOptions } from "../../testing/index.ts";
import { until } from "../../testing/until.ts";
import type { Task } from "../api/task.ts";
import { limits } from "../limits.ts";
import { heartbeatIntervalMs } from "./announcement.ts";
import { type ServeOptions, type ServingAgent, serveAgent } from "./serve-agent.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const ends: (() => unknown)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

async function startHub(options?: HubDoubleOptions): Promise<HubDouble> {
  const hub = await HubDouble.start(options);
  ends.push(() => hub.stop());
  return hub;
}

async function serve(options: Partial<ServeOptions> = {}): Promise<ServingAgent> {
  const agent = await serveAgent({
    pack: "qa-engineer",
    version: "1.0.0",
    taskTypes: ["write-tests"],
    register: false,
    handleSignals: false,
    onProblem: () => {},
    run: (task) => {
      task.turn({ confidence: 1, thought: "let me see" });
      return task.success("done");
    },
    ...options,
  });
  ends.push(() => agent.close({ graceMs: 0 }));
  return agent;
}

/** A `run` that waits for its signal or for the test. */
function waiting() {
  const started = Promise.withResolvers<Task>();
  const released = Promise.withResolvers<void>();
  return {
    runs: 0,
    started: started.promise,
    release: released.resolve,
    async run(task: Task) {
      this.runs++;
      started.resolve(task);
      const stopped = new Promise<void>((resolve) =>
        task.signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      await Promise.race([stopped, released.promise]);
      return task.success("done");
    },
  };
}

interface Caller {
  run(task: TaskEnvelope): Promise<readonly RunAgentResponse[]>;
  cancel(dispatchId: string): Promise<CancelOutcome>;
}

function grpcCaller({ uri }: ServingAgent, token?: string): Caller {
  const sessionManager = new Http2SessionManager(uri);
  ends.push(() => sessionManager.abort());
  const show: Interceptor = (next) => (call) => {
    if (token !== undefined) call.header.set("authorization", `Bearer ${token}`);
    return next(call);
  };
  const transport = createGrpcTransport({ baseUrl: uri, sessionManager, interceptors: [show] });
  const client = createClient(AgentService, transport);
  return {
    async run(task) {
      const messages = [];
      for await (const message of client.runAgent({ envelope: task })) messages.push(message);
      return messages;
    },
    cancel: async (dispatchId) => (await client.cancelAgent({ dispatchId, attemptNumber: 1 })).outcome,
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function post(
  url: string,
  body: string,
  { type = "application/json", method = "POST", token = "" } = {},
): Promise<Answer> {
  const headers = { "content-type": type, ...(token && { authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => {
        text += piece;
      });
      response.on("end", () => {
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, type: response.headers["content-type"] ?? "", body: text });
      });
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}

const codes = new Map([
  [400, Code.InvalidArgument],
  [401, Code.Unauthenticated],
  [429, Code.ResourceExhausted],
]);

function httpCaller({ uri }: ServingAgent, token = ""): Caller {
  return {
    async run(task) {
      const { status, type, body } = await post(`${uri}/run`, encodeJson(TaskEnvelopeSchema, task), {
        token,
      });
      const code = codes.get(status);
      if (code !== undefined) throw new ConnectError(body, code);
      expect([status, type]).toEqual([200, "application/x-ndjson"]);
      const lines = body.split("\n").filter((line) => line !== "");
      return lines.map((line) => decodeJson(RunAgentResponseSchema, line));
    },
    async cancel(dispatchId) {
      const { body } = await post(`${uri}/cancel`, JSON.stringify({ dispatchId, attemptNumber: 1 }));
      return decodeJson(CancelAgentResponseSchema, body).outcome;
    },
  };
}

describe.each([
  { transport: "grpc", wire: AgentTransport.GRPC, caller: grpcCaller },
  { transport: "http-json", wire: AgentTransport.HTTP_JSON, caller: httpCaller },
] as const)("[TRN-01] an agent that listens over $transport", ({ transport, wire, caller }) => {
  const listen = { transport };

  it("registers with its address", async () => {
    const hub = await startHub({ heartbeatMs: 50 });
    const agent = await serve({ listen, hub: hub.address, register: true });
    expect((await hub.registered.take()).manifest).toMatchObject({ packId: "qa-engineer" });
    const { heartbeat } = await hub.heartbeats.take();
    expect(heartbeat).toMatchObject({
      instanceId: agent.instanceId,
      endpoint: { uri: agent.uri, transport: wire },
      capacity: { activeTasks: 0, maxTasks: 1 },
    });
    expect((await hub.heartbeats.take()).heartbeat?.instanceId).toBe(agent.instanceId);
  });

  it("streams turns and events, and ends with the result", async () => {
    const messages = await caller(await serve({ listen })).run(envelope({ dispatchId: "d" }));
    expect(messages.map(({ message }) => message.case)).toEqual(["turn", "result"]);
    const last = messages.at(-1)?.message;
    expect(last?.case === "result" && last.value.status?.outcome).toBe(Outcome.SUCCESS);
    for (const message of messages) expect(validate(RunAgentResponseSchema, message)).toEqual([]);
  });

  it("[DIS-15] runs a dispatch once, and sends every caller the same messages", async () => {
    const work = waiting();
    const agent = await serve({ listen, run: (task) => work.run(task) });
    const calls = [1, 2].map(() => caller(agent).run(envelope({ dispatchId: "d" })));
    await work.started;
    work.release();
    const [first, second] = await Promise.all(calls);
    expect(second).toEqual(first);
    expect(await caller(agent).run(envelope({ dispatchId: "d" }))).toEqual(first);
    expect(work.runs).toBe(1);
  });

  it("[DIS-13] stops an attempt on cancel", async () => {
    const work = waiting();
    const agent = await serve({ listen, run: (task) => work.run(task) });
    const call = caller(agent)
      .run(envelope({ dispatchId: "d" }))
      .catch(({ code }: ConnectError) => code);
    const task = await work.started;
    expect(await caller(agent).cancel("d")).toBe(CancelOutcome.STOPPED);
    expect(task.signal.reason).toMatchObject({ why: "cancelled" });
    // gRPC has a status code for it; HTTP ends without a result.
    expect([Code.Canceled, []]).toContainEqual(await call);
    expect(await caller(agent).cancel("d")).toBe(CancelOutcome.ALREADY_ENDED);
    expect(await caller(agent).cancel("never seen")).toBe(CancelOutcome.UNKNOWN);
  });

  it("answers busy when the queue is full", async () => {
    const work = waiting();
    const agent = await serve({ listen, run: (task) => work.run(task) });
    const call = caller(agent);
    const running = Array.from({ length: 17 }, (_, index) => call.run(envelope({ dispatchId: `d${index}` })));
    await until(() => agent.activeTasks + agent.queuedTasks === 17);
    await expect(call.run(envelope({ dispatchId: "more" }))).rejects.toMatchObject({
      code: Code.ResourceExhausted,
    });
    work.release();
    expect((await Promise.all(running)).length).toBe(17);
  });

  it("[CON-03] refuses an envelope that breaks a rule, naming the field", async () => {
    const agent = await serve({ listen });
    const broken = envelope({ dispatchId: "d" });
    broken.refs = [];
    await expect(caller(agent).run(broken)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      message: expect.stringContaining("refs"),
    });
  });

  it.each([
    ["ahead of", hourMs],
    ["behind", -hourMs],
  ])("[DIS-13] accepts a task when its clock is an hour %s the hub's", async (_, shiftMs) => {
    const agent = await serve({ listen });
    const sent = envelope({ timeoutMs: minuteMs, deadlineMs: Date.now() + minuteMs });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + shiftMs });
    const last = (await caller(agent).run(sent)).at(-1)?.message;
    expect(last?.case === "result" && last.value.status?.outcome).toBe(Outcome.SUCCESS);
  });

  it("[CON-04] refuses a past deadline without a timeout", async () => {
    const agent = await serve({ listen });
    await expect(caller(agent).run(envelope({ deadlineMs: Date.now() - 1_000 }))).rejects.toMatchObject({
      code: Code.InvalidArgument,
      message: expect.stringContaining("deadline"),
    });
  });

  it("refuses calls without its token", async () => {
    const agent = await serve({ listen: { ...listen, token: "secret" } });
    for (const token of [undefined, "wrong", "Bearer secret"]) {
      await expect(caller(agent, token).run(envelope())).rejects.toMatchObject({
        code: Code.Unauthenticated,
      });
    }
    expect(await caller(agent, "secret").run(envelope())).toHaveLength(2);
  });

  it("[TRN-05] finishes running attempts before it closes", async () => {
    const work = waiting();
    const agent = await serve({ listen, run: (task) => work.run(task) });
    const call = caller(agent).run(envelope({ dispatchId: "d" }));
    await work.started;
    const closed = agent.close();
    work.release();
    const messages = await call;
    expect(messages.at(-1)?.message.case).toBe("result");
    await closed;
    await agent.closed;
  });
});

describe("[TRN-01] plain HTTP", () => {
  it.each([
    { what: "another path", path: "/other", method: "POST", type: "application/json", status: 404 },
    { what: "another method", path: "/run", method: "PUT", type: "application/json", status: 405 },
    { what: "another content type", path: "/run", method: "POST", type: "text/plain", status: 415 },
    { what: "what is not JSON", path: "/run", method: "POST", type: "application/json", status: 400 },
  ])("answers $what with $status and a fix", async ({ path, method, type, status }) => {
    const { uri } = await serve({ listen: { transport: "http-json" } });
    const answer = await post(`${uri}${path}`, "no JSON", { type, method });
    expect(answer.status).toBe(status);
    const { code, fix } = decodeJson(ErrorDetailSchema, answer.body);
    expect([code, fix]).not.toContain("");
  });

  it("refuses bodies over four MiB", async () => {
    const { uri } = await serve({ listen: { transport: "http-json" } });
    const answer = await post(`${uri}/run`, "x".repeat(4 * 1024 * 1024 + 1)).catch(() => ({ status: 413 }));
    expect(answer.status).toBe(413);
  });

  it("ignores fields of a newer hub", async () => {
    const { uri } = await serve({ listen: { transport: "http-json" } });
    const newer = { ...JSON.parse(encodeJson(TaskEnvelopeSchema, envelope())), fromTheFuture: 1 };
    expect((await post(`${uri}/run`, JSON.stringify(newer))).status).toBe(200);
  });
});

describe("registration", () => {
  it("[DIS-03] sends three heartbeats per lease, also when the clocks differ", () => {
    const inMs = (ms: number) => heartbeatIntervalMs(Date.now() + ms);
    expect(inMs(9_000)).toBeGreaterThan(2_900);
    expect(inMs(9_000)).toBeLessThanOrEqual(3_000);
    const requested = limits.leaseMs / 3;
    expect([inMs(hourMs), inMs(-hourMs), heartbeatIntervalMs(undefined)]).toEqual([
      requested,
      requested,
      requested,
    ]);
  });

  it("stops when the hub refuses the agent permanently", async () => {
    const hub = await startHub({ refuse: () => new ConnectError("not you", Code.PermissionDenied) });
    await expect(serve({ hub: hub.address, register: true })).rejects.toMatchObject({
      code: "BATON-SDK-002",
    });
  });

  it("registers again after a restart of the hub", async () => {
    const first = await startHub({ heartbeatMs: 50 });
    await serve({ hub: first.address, register: true });
    await first.registered.take();
    const { port } = first;
    await first.stop();
    const second = await startHub({ heartbeatMs: 50, port });
    expect((await second.registered.take()).manifest?.packId).toBe("qa-engineer");
    await second.heartbeats.take();
  });
});
