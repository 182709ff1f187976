import { once } from "node:events";
import { connect } from "node:net";
import { ResponseStatus } from "@baton/contract";
import { testPolicy } from "@baton/kernel/testing";
import {
  AckSchema,
  NackSchema,
  ResultSchema,
  sapLimits,
  sapOpenApi,
  TranscriptSchema,
} from "@baton/protocols/sap";
import { exampleTask, taskOfTheText } from "@baton/protocols/testing/sap";
import { TestAgent, testHub } from "@baton/runtime/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { operatorToken, runServer, type TestConfig } from "../../testing/running-server.ts";
import { generateKey } from "../border/keys.ts";

const policy = testPolicy({ routes: { "consult.align": { allowedPackIds: ["A-ml-001"] } } });
const { taskId, correlationId } = taskOfTheText;
const absent = "0b2f1f9e-7a0e-4a53-9f5c-2f3b6f0a9b11";
const path = `/sap/v2/tasks/${taskId}`;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

type Answer = NonNullable<ConstructorParameters<typeof TestAgent>[1]["answer"]>;
const answers: Answer = () => ({
  response: { status: ResponseStatus.SUCCESS, data: { sections: ["Purpose"] } },
});

async function serve({ answer = answers, ...config }: TestConfig & { readonly answer?: Answer } = {}) {
  const hub = await testHub({ policy });
  onTestFinished(() => hub.drain(0));
  const server = await runServer(hub, config);
  const tenantId = config.keys ? "acme" : "local";
  const agent = new TestAgent(hub, { packId: "A-ml-001", tenantId, taskTypes: ["consult.align"], answer });
  await agent.receive("welcome");
  const get = (at: string, headers: Record<string, string> = {}) =>
    fetch(`${server.httpAddress}${at}`, { headers });
  const submit = (task: unknown = exampleTask(), headers: Record<string, string> = {}) =>
    server.post("/sap/v2/tasks", task, headers);
  return { server, agent, get, submit };
}

/** The events of a stream until it ends. */
async function eventsOf(answer: Response) {
  const blocks = (await answer.text()).split("\n\n").filter((block) => block.startsWith("id: "));
  return blocks.map((block) => {
    const { id, data } = /^id: (?<id>\d+)\nevent: result\ndata: (?<data>.*)$/s.exec(block)?.groups ?? {};
    return { id, result: ResultSchema.parse(JSON.parse(data ?? "")) };
  });
}

describe("POST /sap/v2/tasks", () => {
  it("[SAP-01] [SAP-10] acknowledges a task, with its correlationId in the header", async () => {
    const { submit, server } = await serve();
    const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const answer = await submit(exampleTask(), { "x-correlation-id": correlationId, traceparent: trace });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("x-correlation-id")).toBe(correlationId);
    expect(answer.headers.get("traceresponse")).toMatch(
      /^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/,
    );
    const ack = AckSchema.parse(await answer.json());
    expect(ack).toMatchObject({ kind: "ack", taskId, correlationId, existing: false });
    await expect
      .poll(() => server.log.find(({ method }) => method === "SAP POST /sap/v2/tasks"))
      .toMatchObject({ status: 202, taskId, correlationId, pipelineId: ack.pipelineId });
  });

  it("[SAP-01] answers the example of the text with a Nack that names pressureLevel", async () => {
    const { submit } = await serve();
    const answer = await submit(taskOfTheText);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("x-correlation-id")).toBe(correlationId);
    expect(NackSchema.parse(await answer.json())).toMatchObject({
      error: {
        code: "INVALID_TASK",
        details: {
          violations: [{ path: "constitutionalContext.pressureLevel", rule: "required", fix: "add it" }],
        },
      },
    });
  });

  it.each<[string, number, string, unknown, Record<string, string>]>([
    ["other content", 409, "INVALID_TASK", exampleTask({ payload: { topic: "another" } }), {}],
    ["no route", 404, "NOT_FOUND", exampleTask({ taskId: absent, target: { capability: "no.body" } }), {}],
    ["a duplicate key", 400, "INVALID_TASK", '{"taskId": 1, "taskId": 1}', {}],
    ["a body that is too large", 413, "INVALID_TASK", `"${"x".repeat(sapLimits.taskBytes)}"`, {}],
    ["a payload that is too deep", 413, "INVALID_TASK", `${"[".repeat(70)}${"]".repeat(70)}`, {}],
    ["another form", 415, "INVALID_TASK", exampleTask(), { "content-type": "text/plain" }],
    ["a compressed body", 415, "INVALID_TASK", exampleTask(), { "content-encoding": "gzip" }],
    ["another correlationId", 400, "INVALID_TASK", exampleTask(), { "x-correlation-id": absent }],
    ["no correlationId", 400, "INVALID_TASK", exampleTask(), { "x-correlation-id": "mine" }],
    ["a foreign page", 403, "", exampleTask(), { origin: "https://elsewhere.example" }],
    ["a wrong key", 401, "UNAUTHORIZED", exampleTask(), bearer("baton-operator_wrong")],
    [
      "a deadline that has passed",
      422,
      "TIMEOUT",
      exampleTask({ taskId: absent, telemetry: taskOfTheText.telemetry }),
      {},
    ],
  ])("[SAP-07] refuses %s with %i %s", async (_, status, code, task, headers) => {
    const { submit } = await serve();
    expect((await submit()).status).toBe(202);
    const answer = await submit(task, headers);
    expect(answer.status).toBe(status);
    if (code === "") return;
    expect(NackSchema.parse(await answer.json())).toMatchObject({
      error: { code, message: /./, details: { code: /^BATON-/, fix: /./ } },
    });
  });

  it.each<[string, number, string, TestConfig]>([
    ["too many calls", 429, "RATE_LIMIT", { limits: { callsInFlightPerTenant: 0 } }],
    ["a body that does not arrive", 422, "TIMEOUT", { limits: { bodyTimeoutMs: 50 } }],
  ])("[SAP-07] refuses %s with %i %s", async (_, status, code, config) => {
    const { server } = await serve(config);
    const { port, host } = new URL(server.httpAddress);
    const socket = connect(Number(port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.write(
      `POST /sap/v2/tasks HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    const [first] = await once(socket, "data");
    expect(String(first)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(String(first)).toContain(`"code":"${code}"`);
    if (status === 429) expect(String(first)).toMatch(/\r\nretry-after: \d/i);
  });

  it("[SAP-07] answers with 503 and the time to wait while the hub takes no work", async () => {
    const { server, submit, get } = await serve();
    server.stopTaking();
    for (const answer of [await submit(), await get(path)]) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      NackSchema.parse(await answer.json());
    }
  });

  it("[SAP-08] sends no Ack to a task that expects none, and runs it", async () => {
    const { submit, get } = await serve();
    const replyTo = { endpoint: "bus:inproc:prime", expectAck: false };
    const answer = await submit(exampleTask({ replyTo }));
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
    expect(answer.headers.get("x-correlation-id")).toBe(correlationId);
    expect((await eventsOf(await get(`${path}/events`))).at(-1)?.result.status).toBe("SUCCEEDED");
  });

  it("answers before it has read a body that never ends", async () => {
    const { server } = await serve();
    const { port, host } = new URL(server.httpAddress);
    const socket = connect(Number(port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    const head = `POST /sap/v2/tasks HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 9999999999\r\n\r\n`;
    socket.write(head + "x".repeat(sapLimits.taskBytes + 100_000));
    const [first] = await once(socket, "data");
    expect(String(first)).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe("a task over HTTP", () => {
  it("[SAP-03] [SAP-10] is followed as server-sent events, and resumed after any of them", async () => {
    const { submit, get } = await serve();
    await submit();
    const answer = await get(`${path}/events`, { "x-correlation-id": correlationId });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(answer.headers.get("x-correlation-id")).toBe(correlationId);
    const all = await eventsOf(answer);
    expect(all.map(({ result }) => result.status)).toEqual(["RUNNING", "SUCCEEDED"]);
    for (const [index, { id = "" }] of all.entries())
      expect(await eventsOf(await get(`${path}/events`, { "last-event-id": id }))).toEqual(
        all.slice(index + 1),
      );
    const result = await get(path);
    expect(ResultSchema.parse(await result.json())).toEqual(all.at(-1)?.result);
    expect(all.at(-1)?.result).toMatchObject({
      ...{ taskId, correlationId, output: { sections: ["Purpose"] } },
      constitutionalEvidence: { alignment: "VALID" },
    });
  });

  it("[SAP-03] is cancelled by the operator, with the reason", async () => {
    const { submit, server, agent, get } = await serve({ answer: () => undefined });
    await submit();
    await agent.envelope();
    const cancel = (headers: Record<string, string>, body: unknown = { reason: "not needed" }) =>
      server.post(`${path}/cancel`, body, headers);
    expect((await cancel({})).status).toBe(403);
    expect((await cancel({ ...bearer(operatorToken), "x-correlation-id": absent })).status).toBe(400);
    expect((await cancel(bearer(operatorToken), { reason: 5 })).status).toBe(400);
    expect(await (await get(path)).json()).toMatchObject({ status: "RUNNING" });
    const answer = await cancel(bearer(operatorToken));
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { status: "CANCELLED", meta: { reason: "not needed" } },
    ]);
  });

  it("[SAP-09] has a transcript with the Task as it was submitted", async () => {
    const { submit, get } = await serve();
    const task = exampleTask({ parentTaskId: absent, "x-more": { kept: true } });
    await submit(task);
    await eventsOf(await get(`${path}/events`));
    const transcript = TranscriptSchema.parse(await (await get(`${path}/transcript`)).json());
    expect(transcript.task).toEqual(task);
    expect(transcript.results.every((result) => result.parentTaskId === absent)).toBe(true);
    expect(transcript.record.length).toBeGreaterThan(3);
  });

  it("[SAP-01] serves the OpenAPI document to anybody", async () => {
    const { get } = await serve({
      keys: [generateKey({ id: "k", tenant: "acme", roles: ["submit"] }).entry],
    });
    expect(await (await get("/sap/v2/openapi.json")).json()).toEqual(sapOpenApi());
  });

  it.each([
    ["GET", "/sap/v2/tasks", 405],
    ["DELETE", path, 405],
    ["POST", `${path}/events`, 405],
    ["GET", `${path}/other`, 404],
    ["GET", "/sap/v1/tasks", 404],
    ["GET", "/sap/v2/tasks/not-a-uuid", 404],
    ["GET", "/sap/v2/tasks/%00%ff", 404],
    ["GET", "/sap/v2/tasks/__proto__", 404],
  ])("answers %s %s with a Nack", async (method, at, status) => {
    const { server } = await serve();
    const answer = await fetch(`${server.httpAddress}${at}`, { method });
    expect(answer.status).toBe(status);
    NackSchema.parse(await answer.json());
  });
});

describe("tenants and roles of tasks over HTTP", () => {
  const submitter = generateKey({ id: "submitter", tenant: "acme", roles: ["submit"] });
  const agent = generateKey({ id: "agent", tenant: "acme", roles: ["agent"] });
  const stranger = generateKey({ id: "stranger", tenant: "other", roles: ["submit", "operate", "audit"] });
  const keys = [submitter.entry, agent.entry, stranger.entry];
  const requests: readonly (readonly [method: string, at: (id: string) => string])[] = [
    ["GET", (id) => `/sap/v2/tasks/${id}`],
    ["GET", (id) => `/sap/v2/tasks/${id}/events`],
    ["POST", (id) => `/sap/v2/tasks/${id}/cancel`],
    ["GET", (id) => `/sap/v2/tasks/${id}/transcript`],
  ];

  it("[SAP-09] shows nothing of another tenant: absent and foreign tasks have the same answer on every path", async () => {
    const { server, submit } = await serve({ keys });
    expect((await submit(exampleTask(), bearer(submitter.key))).status).toBe(202);
    for (const [method, at] of requests) {
      const ask = async (id: string) => {
        const answer = await fetch(`${server.httpAddress}${at(id)}`, {
          method,
          headers: bearer(stranger.key),
        });
        const { messageId: _, rejectedAt: __, taskId: ___, ...body } = NackSchema.parse(await answer.json());
        return { status: answer.status, correlation: answer.headers.get("x-correlation-id"), body };
      };
      const foreign = await ask(taskId);
      expect(foreign).toEqual(await ask(absent));
      expect(foreign).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
    }
  });

  it("[SAP-09] needs a key with a role on every path", async () => {
    const { server, submit } = await serve({ keys });
    expect((await submit()).status).toBe(401);
    expect((await submit(exampleTask(), bearer(agent.key))).status).toBe(403);
    for (const [method, at] of requests) {
      const ask = (headers: Record<string, string>) =>
        fetch(`${server.httpAddress}${at(taskId)}`, { method, headers });
      expect((await ask({})).status).toBe(401);
      expect((await ask(bearer(agent.key))).status).toBe(403);
    }
  });
});
