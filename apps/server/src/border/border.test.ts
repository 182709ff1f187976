import { once } from "node:events";
import { request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { AuditService, ErrorDetailSchema, OrchestratorService, RegistryService } from "@baton/contract";
import { testHub } from "@baton/runtime/testing";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { collect } from "../../testing/collect.ts";
import { hubDouble, takingHub } from "../../testing/hub-double.ts";
import { type RunningServer, runServer, smallTask, smallTaskMessage } from "../../testing/running-server.ts";
import type { ServerLimits } from "../limits.ts";
import { generateKey, type Role } from "./keys.ts";

const submitPath = "/vasini.agent.v1.OrchestratorService/SubmitTask";
const getPath = "/vasini.agent.v1.OrchestratorService/GetPipeline";

function keyFor(...roles: readonly Role[]) {
  return generateKey({ id: `${roles.join("-") || "none"}-key`, tenant: "acme", roles });
}

describe("a key", () => {
  it("has the form by which scanners for secrets find it, and is stored as a hash", () => {
    const { key, entry } = keyFor("submit");
    expect(key).toMatch(/^baton_submit-key_[A-Za-z0-9_-]{43}$/);
    expect(entry).toEqual({ id: "submit-key", tenant: "acme", roles: ["submit"], hash: expect.any(String) });
    expect(JSON.stringify(entry)).not.toContain(key.slice(-43));
  });

  it("is refused a name that could be taken for another part of it", () => {
    expect(() => generateKey({ id: "a_b", tenant: "acme", roles: [] })).toThrow(RangeError);
  });

  it("passes the hub its caller", async () => {
    const { key, entry } = keyFor("submit");
    const { hub, callers } = takingHub();
    const server = await runServer(hub, { keys: [entry] });
    await server.client(OrchestratorService, key).submitTask(smallTaskMessage);
    expect(callers).toMatchObject([{ tenantId: "acme", id: "submit-key", kind: "human" }]);
  });

  it("gives one and the same answer when it is missing, malformed, unknown or wrong", async () => {
    const { key, entry } = keyFor("submit");
    const server = await runServer(takingHub().hub, { keys: [entry] });
    const unknown = generateKey({ id: "stranger", tenant: "acme", roles: ["submit"] }).key;
    const wrong = key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
    const given = [
      undefined,
      "",
      "Bearer",
      "Bearer hello",
      `Basic ${key}`,
      `Bearer ${unknown}`,
      `Bearer ${wrong}`,
    ];
    const answers = await Promise.all(
      given.map(async (authorization) => {
        const answer = await server.post(
          submitPath,
          smallTask,
          authorization === undefined ? {} : { authorization },
        );
        return [answer.status, await answer.text()];
      }),
    );
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]).toEqual([401, expect.stringContaining("BATON-SERVER-004")]);
  });

  it("is in no log and no error", async () => {
    const { key, entry } = keyFor("audit");
    const server = await runServer(takingHub().hub, { keys: [entry] });
    const refused = await server.post(submitPath, smallTask, { authorization: `Bearer ${key}` });
    const unknown = await server.post(submitPath, smallTask, { authorization: `Bearer ${key}x` });
    const seen = [await refused.text(), await unknown.text(), JSON.stringify(server.log)].join();
    expect(seen).not.toContain(key.slice(-20));
  });

  const mayCall: readonly (readonly [Role, readonly string[]])[] = [
    [
      "submit",
      [
        ...["submitTask", "getPipeline", "listPipelines", "listEscalations", "explainDispatch", "listAgents"],
        ...["previewRewind", "rerunPipeline", "getTenant", "labelPipeline", "listPinnedTools"],
      ],
    ],
    [
      "operate",
      [
        ...["getPipeline", "listPipelines", "pausePipeline", "resumePipeline", "abortPipeline"],
        ...["listEscalations", "resolveEscalation", "explainDispatch", "listAgents", "restoreAgent"],
        ...["previewRewind", "rewindPipeline", "stopTenant", "startTenant", "getTenant", "raiseSpendLimit"],
        ...["changeLimits", "skipStage", "overrideStage", "cancelStage", "labelPipeline"],
        ...["listPinnedTools", "acceptTool"],
      ],
    ],
    [
      "review",
      [
        ...["getPipeline", "listPipelines", "reviewStage", "listEscalations", "resolveEscalation"],
        ...["explainDispatch", "listAgents", "previewRewind", "getTenant", "listPinnedTools"],
      ],
    ],
    [
      "audit",
      [
        ...["getPipeline", "listPipelines", "listEscalations", "explainDispatch", "listAgents"],
        ...["listAuditEntries", "getAuditProof", "verifyAudit", "getAuditCheckpoint", "previewRewind"],
        ...["getTenant", "listPinnedTools"],
      ],
    ],
    ["agent", ["registerAgent", "sendHeartbeat", "reviewStage", "reportStep", "listSteps", "pinTools"]],
  ];
  it.each(mayCall)("with the role %s may call what belongs to it, and nothing else", async (role, names) => {
    const { key, entry } = keyFor(role);
    const server = await runServer(hubDouble(), { keys: [entry] });
    const methods = [OrchestratorService, RegistryService, AuditService].flatMap(
      (service) => service.methods,
    );
    const allowed: string[] = [];
    for (const method of methods.filter(({ methodKind }) => methodKind === "unary")) {
      const path = `/${method.parent.typeName}/${method.name}`;
      const answer = await server.post(path, {}, { authorization: `Bearer ${key}` });
      if (answer.status !== 403) allowed.push(method.localName);
      else expect(await answer.json()).toMatchObject({ code: "permission_denied" });
    }
    expect(allowed).toEqual(expect.arrayContaining([...names]));
    expect(allowed).toHaveLength(names.length);
  });

  it.each([
    ["agent", "attachAgent", Code.PermissionDenied],
    ["submit", "watchEvents", Code.PermissionDenied],
    ["audit", "exportAudit", Code.PermissionDenied],
  ] as const)("with the role %s is needed for %s", async (role, name, code) => {
    const other = keyFor(role === "agent" ? "submit" : "agent");
    const right = keyFor(role);
    const server = await runServer(hubDouble(), { keys: [right.entry, other.entry] });
    const streams = {
      attachAgent: (key: string) => collect(server.client(RegistryService, key).attachAgent(nothing())),
      watchEvents: (key: string) => collect(server.client(OrchestratorService, key).watchEvents({})),
      exportAudit: (key: string) => collect(server.client(AuditService, key).exportAudit({})),
    };
    const open: (key: string) => Promise<readonly unknown[]> = streams[name];
    await expect(open(other.key)).rejects.toMatchObject({ code });
    await expect(open(right.key)).resolves.toEqual([]);
  });
});

async function* nothing() {}

describe("an open door", () => {
  it("is refused: an address that others reach, without keys", async () => {
    const starting = runServer(hubDouble(), { http: { host: "0.0.0.0", port: 0 } });
    await expect(starting).rejects.toMatchObject({ code: "BATON-SERVER-002" });
  });

  it("is none with keys", async () => {
    const { key, entry } = keyFor("submit");
    const server = await runServer(takingHub().hub, { http: { host: "0.0.0.0", port: 0 }, keys: [entry] });
    expect((await server.post(submitPath, smallTask)).status).toBe(401);
    expect((await server.post(submitPath, smallTask, { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it("reports that a port is taken, and leaves nothing behind", async () => {
    const first = await runServer();
    const taken = { host: "127.0.0.1", port: Number(new URL(first.httpAddress).port) };
    await expect(runServer(hubDouble(), { http: taken })).rejects.toMatchObject({
      code: "BATON-SERVER-001",
      message: expect.stringContaining(`127.0.0.1:${taken.port}`),
    });
  });
});

describe("a page of somebody else", () => {
  const hosts: readonly (readonly [string, (port: string) => string, number])[] = [
    ["its own name, which leads here", (port) => `evil.example:${port}`, 403],
    ["another port", () => "127.0.0.1:1", 403],
    ["no port", () => "127.0.0.1", 403],
    ["nonsense", () => "[[", 403],
    ["our address", (port) => `127.0.0.1:${port}`, 200],
    ["our name", (port) => `LOCALHOST:${port}`, 200],
    ["our address in IPv6", (port) => `[::1]:${port}`, 200],
  ];
  it.each(hosts)("is recognised by %s", async (_, hostOf, status) => {
    const server = await runServer(takingHub().hub);
    const host = hostOf(new URL(server.httpAddress).port);
    expect(await post(server, { host })).toBe(status);
  });

  it.each([
    ["https://evil.example", 403],
    ["null", 403],
    ["http://127.0.0.1:1", 403],
  ])("is recognised by its origin %s", async (origin, status) => {
    const server = await runServer(takingHub().hub);
    expect(await post(server, { origin })).toBe(status);
    expect(await post(server, { origin: server.httpAddress })).toBe(200);
  });

  it("is recognised over gRPC by the authority", async () => {
    const server = await runServer(takingHub().hub);
    const session = connectHttp2(server.grpcAddress);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":method": "POST", ":path": submitPath, ":authority": "evil.example" });
    const [headers] = await once(stream.end(), "response");
    expect(headers[":status"]).toBe(403);
  });

  it("may be trusted by name, and by origin with CORS", async () => {
    const origin = "https://baton.example";
    const server = await runServer(takingHub().hub, {
      allowedHosts: ["hub.example"],
      allowedOrigins: [origin],
    });
    expect(await post(server, { host: "hub.example:1" })).toBe(200);
    const preflight = await fetch(`${server.httpAddress}${submitPath}`, {
      method: "OPTIONS",
      headers: { origin },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    const answer = await server.post(submitPath, smallTask, { origin });
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect((await server.post(submitPath, smallTask)).headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("too much at once", () => {
  const never = () => new Promise<never>(() => undefined);

  it("is refused at once, with when to come back, and the places are free again afterwards", async () => {
    const gates = Array.from({ length: 20 }, () => Promise.withResolvers<never>());
    let asked = 0;
    const { hub } = takingHub({ getPipeline: () => gates[asked++]?.promise ?? never() });
    const server = await runServer(hub, { limits: { callsInFlightPerTenant: 20 } });
    const client = server.client(OrchestratorService);
    const calls = Array.from({ length: 2_000 }, () =>
      client.getPipeline({ pipelineId: "p-1" }).catch((error) => ConnectError.from(error)),
    );
    const refused = await firstSettled(calls, 1_980);
    expect(asked).toBe(20);
    for (const error of refused) {
      expect(error).toMatchObject({ code: Code.ResourceExhausted });
    }
    const [detail] = ConnectError.from(refused[0]).findDetails(ErrorDetailSchema);
    expect(detail).toMatchObject({ code: "BATON-SERVER-003", retryAfter: { seconds: 1n } });
    for (const gate of gates) gate.reject(new Error("over"));
    await Promise.all(calls);
    expect((await client.submitTask(smallTaskMessage)).pipeline?.pipelineId).toBe("key-1");
  });

  it("of one tenant leaves the other its places", async () => {
    const acme = keyFor("submit");
    const other = generateKey({ id: "other", tenant: "other", roles: ["submit"] });
    const { hub } = takingHub({ getPipeline: never });
    const limits = { callsInFlight: 10, callsInFlightPerTenant: 5 };
    const server = await runServer(hub, { limits, keys: [acme.entry, other.entry] });
    const calls = Array.from({ length: 50 }, () =>
      post(server, bearer(acme.key), getPath, { pipelineId: "p-1" }),
    );
    const statuses = await firstSettled(calls, 45);
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(await post(server, bearer(other.key))).toBe(200);
  });

  it("keeps the place of a call whose caller went away until the hub has done with it", async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<never>();
    const getPipeline = () => {
      asked.resolve();
      return gate.promise;
    };
    const { hub } = takingHub({ getPipeline });
    const server = await runServer(hub, { limits: { callsInFlightPerTenant: 1 } });
    const client = server.client(OrchestratorService);
    const caller = new AbortController();
    const left = client.getPipeline({ pipelineId: "p-1" }, { signal: caller.signal });
    left.catch(() => {});
    await asked.promise;
    caller.abort();
    await expect(left).rejects.toMatchObject({ code: Code.Canceled });
    await expect(client.submitTask(smallTaskMessage)).rejects.toMatchObject({ code: Code.ResourceExhausted });
    gate.reject(new Error("over"));
    await expect
      .poll(() =>
        client.submitTask(smallTaskMessage).then(
          () => "taken",
          () => "refused",
        ),
      )
      .toBe("taken");
  });

  it("frees the place of a call that was taken back as if nothing were wrong", async () => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<never>();
    const { hub } = takingHub({
      getPipeline() {
        asked.resolve();
        return gate.promise;
      },
    });
    const server = await runServer(hub, { limits: { callsInFlightPerTenant: 1, heartbeatMs: 20 } });
    const session = connectHttp2(server.grpcAddress);
    onTestFinished(() => session.destroy());
    const stream = session.request({
      ":method": "POST",
      ":path": getPath,
      "content-type": "application/json",
    });
    stream.end('{"pipelineId":"p-1"}');
    await asked.promise;
    stream.close(0);
    await once(stream, "close");
    gate.reject(new Error("over"));
    await expect.poll(() => post(server, {})).toBe(200);
  });

  it("is refused of streams as well", async () => {
    const hub = hubDouble({
      async *watchEvents(_, __, signal) {
        await once(signal, "abort");
        yield* [];
      },
    });
    const server = await runServer(hub, { limits: { openStreamsPerTenant: 2, eventWatchers: 1 } });
    const events = () => fetch(`${server.httpAddress}/v1/events`);
    expect((await events()).status).toBe(200);
    expect((await events()).status).toBe(429);
    const client = server.client(OrchestratorService);
    const open = () => collect(client.watchEvents({})).catch((error) => ConnectError.from(error).code);
    const [first] = await firstSettled([open(), open()], 1);
    expect(first).toBe(Code.ResourceExhausted);
  });
});

describe("watchers of events", () => {
  const two = ["acme", "other"].map((tenant) => generateKey({ id: tenant, tenant, roles: ["operate"] }));
  const [acme, other] = [two[0]?.key ?? "", two[1]?.key ?? ""];

  async function watched(limits: Partial<ServerLimits>) {
    const hub = await testHub();
    onTestFinished(() => hub.drain(0));
    const server = await runServer(hub, { limits, keys: two.map(({ entry }) => entry) });
    /** One by server-sent events, and how to end it. */
    const byHttp = async (key: string) => {
      const end = new AbortController();
      const answer = await fetch(`${server.httpAddress}/v1/events`, {
        headers: bearer(key),
        signal: end.signal,
      });
      return { answer, end: () => end.abort() };
    };
    /** One by gRPC: its first message, or the refusal. */
    const byGrpc = async (key: string) => {
      const stream = server.client(OrchestratorService, key).watchEvents({})[Symbol.asyncIterator]();
      return stream.next().then(
        () => "watches",
        (error) => ConnectError.from(error),
      );
    };
    return { byHttp, byGrpc };
  }

  it("are limited for each tenant over all protocols, and one at its limit leaves the other its places", async () => {
    const { byHttp, byGrpc } = await watched({ eventWatchersPerTenant: 2 });
    const first = await byHttp(acme);
    expect(first.answer.status).toBe(200);
    expect(await byGrpc(acme)).toBe("watches");
    const { answer } = await byHttp(acme);
    expect(answer.status).toBe(429);
    const text = await answer.text();
    expect(text).toContain("BATON-SERVER-003");
    expect(text).toContain("this tenant has reached the limit of 2 watchers of events");
    expect(text).toContain("limits.event_watchers_per_tenant");
    const refused = ConnectError.from(await byGrpc(acme));
    expect(refused.code).toBe(Code.ResourceExhausted);
    expect(refused.findDetails(ErrorDetailSchema)).toMatchObject([
      { code: "BATON-SERVER-003", message: expect.stringContaining("limits.event_watchers_per_tenant") },
    ]);
    expect((await byHttp(other)).answer.status).toBe(200);
    expect(await byGrpc(other)).toBe("watches");
    expect((await byHttp(other)).answer.status).toBe(429);
    first.end();
    await expect.poll(async () => (await byHttp(acme)).answer.status).toBe(200);
  });

  it("are limited in all over all protocols, and the refusal names that limit", async () => {
    const { byHttp, byGrpc } = await watched({ eventWatchers: 2 });
    expect(await byGrpc(acme)).toBe("watches");
    expect((await byHttp(acme)).answer.status).toBe(200);
    const { answer } = await byHttp(other);
    expect(answer.status).toBe(429);
    expect(await answer.text()).toContain(
      "the server has reached the limit of 2 watchers of events (limits.event_watchers)",
    );
  });

  it("that find no place among the streams of their tenant learn which limit that is", async () => {
    const { byHttp } = await watched({ openStreamsPerTenant: 1 });
    expect((await byHttp(acme)).answer.status).toBe(200);
    expect(await (await byHttp(acme)).answer.text()).toContain(
      "this tenant has reached the limit of 1 open streams (limits.open_streams_per_tenant)",
    );
  });
});

function bearer(key: string) {
  return { authorization: `Bearer ${key}` };
}

/** The first answers, when not all will come. */
function firstSettled<T>(promises: readonly Promise<T>[], count: number): Promise<readonly T[]> {
  return new Promise((resolve) => {
    const settled: T[] = [];
    for (const promise of promises) {
      const note = (value: T) => {
        settled.push(value);
        if (settled.length === count) resolve(settled);
      };
      promise.then(note, () => undefined); // Those that never come end with the server.
    }
  });
}

/** Posts with headers that `fetch` would not send, and gives the status. */
async function post(
  server: RunningServer,
  headers: Readonly<Record<string, string>>,
  path = submitPath,
  body: unknown = smallTask,
): Promise<number | undefined> {
  const sent = request(`${server.httpAddress}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
  });
  onTestFinished(() => void sent.on("error", () => undefined).destroy());
  const [answer] = await once(sent.end(JSON.stringify(body)), "response");
  answer.resume();
  return answer.statusCode;
}
