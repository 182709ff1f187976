import { request } from "node:http";
import {
  AuditService,
  ErrorDetailSchema,
  InspectionService,
  OrchestratorService,
  RegistryService,
} from "@baton/contract";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { collect } from "../../testing/collect.ts";
import { takingHub } from "../../testing/hub-double.ts";
import { operatorToken, type RunningServer, runServer, smallTask } from "../../testing/running-server.ts";
import { ruleOf } from "../border/methods.ts";
import { codeMs, sessionMs } from "./operator.ts";

afterEach(() => void vi.useRealTimers());

const decisions = [
  ["OrchestratorService/ReviewStage", { pipelineId: "p", stageId: "s", dispatchId: "d", approval: {} }],
  ["OrchestratorService/ResolveEscalation", { escalationId: "p/e1", resolution: "yes" }],
  ["OrchestratorService/PausePipeline", { pipelineId: "p", reason: "r" }],
  ["OrchestratorService/ResumePipeline", { pipelineId: "p", reason: "r" }],
  ["OrchestratorService/AbortPipeline", { pipelineId: "p", reason: "r" }],
  ["OrchestratorService/RewindPipeline", { pipelineId: "p", reason: "r" }],
  ["OrchestratorService/RerunPipeline", { pipelineId: "p" }],
  ["RegistryService/RestoreAgent", { packId: "p", instanceId: "i", reason: "r" }],
] as const;

type Stream = AsyncIterable<unknown>;
type Call = (request: object) => Promise<unknown> | Stream;

const services = [OrchestratorService, RegistryService, AuditService, InspectionService];

/** What a call without a credential may not do: everything that changes a run, a tenant, an agent or the record. */
const closed = [
  ...[
    "PausePipeline",
    "ResumePipeline",
    "AbortPipeline",
    "ChangeLimits",
    "SkipStage",
    "StopTenant",
    "StartTenant",
    ...["LabelPipeline", "RaiseSpendLimit"],
  ],
  ...["OverrideStage", "CancelStage", "ReviewStage", "ResolveEscalation", "RewindPipeline", "RerunPipeline"],
  ...["RestoreAgent", "AcceptTool", "CompareConstitution", "GetWithheldAnswer", "ExportAudit"],
];

const transports: readonly (readonly [string, (server: RunningServer) => Transport])[] = [
  ["gRPC", ({ grpcAddress: baseUrl }) => createGrpcTransport({ baseUrl })],
  ["gRPC-web", ({ httpAddress: baseUrl }) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
  ["Connect", ({ httpAddress: baseUrl }) => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
  [
    "Connect, as the page calls",
    ({ httpAddress: baseUrl }) =>
      createConnectTransport({
        ...{ baseUrl, httpVersion: "1.1", useBinaryFormat: false },
        interceptors: [
          (next) => (request) => {
            request.header.set("origin", baseUrl);
            return next(request);
          },
        ],
      }),
  ],
];

describe("a hub without keys", () => {
  it.each(transports)("refuses every decision without the operator token over %s", async (_, transportTo) => {
    const server = await runServer();
    const transport = transportTo(server);
    const refused: string[] = [];
    for (const service of services) {
      const client = createClient(service, transport) as unknown as Record<string, Call>;
      for (const { name, localName, methodKind } of service.methods) {
        if (methodKind === "bidi_streaming") continue;
        // A double of a hub answers little: what matters is which call comes as far as the hub.
        const called = client[localName]?.({});
        const answer = methodKind === "unary" ? (called as Promise<unknown>) : collect(called as Stream);
        const error = await answer.then(() => undefined, ConnectError.from);
        if (error?.code !== Code.PermissionDenied) continue;
        expect(error.findDetails(ErrorDetailSchema)).toMatchObject([{ code: "BATON-SERVER-016" }]);
        refused.push(name);
      }
    }
    expect(refused.toSorted()).toEqual(closed.toSorted());
  });

  it.each(decisions)("refuses %s without the operator token, with the fix", async (method, body) => {
    const server = await runServer();
    const answer = await server.post(`/vasini.agent.v1.${method}`, body);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: "permission_denied",
      details: [{ debug: { code: "BATON-SERVER-016", fix: expect.stringContaining("npx baton open") } }],
    });
    const decided = await server.post(`/vasini.agent.v1.${method}`, body, {
      authorization: `Bearer ${operatorToken}`,
    });
    expect(decided.status).not.toBe(403);
    expect(decided.status).not.toBe(401);
  });

  it("lets a call without a credential submit and watch, over gRPC too", async () => {
    const { hub, callers } = takingHub();
    const server = await runServer(hub);
    const nobody = server.client(OrchestratorService, null);
    await nobody.getPipeline({ pipelineId: "p" });
    expect((await server.post("/vasini.agent.v1.OrchestratorService/SubmitTask", smallTask)).status).toBe(
      200,
    );
    expect(callers).toMatchObject([{ tenantId: "local", id: "local" }]);
    for await (const _ of nobody.watchEvents({})) break;
    const error = await nobody.abortPipeline({ pipelineId: "p", reason: "r" }).catch(ConnectError.from);
    expect(error).toMatchObject({ code: Code.PermissionDenied });
    const exported = async () => {
      for await (const _ of server.client(AuditService, null).exportAudit({})) break;
    };
    await expect(exported()).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  it("lets a call without a credential name a folder only where workspaces are limited to listed ones", async () => {
    const inFolder = { ...smallTask, workspace: { repository: "/srv/shop", path: "/srv/shop" } };
    const inRepository = { ...smallTask, workspace: { repository: "/srv/shop" } };
    const open = await runServer(takingHub().hub);
    const submit = (server: RunningServer, task: object, headers = {}) =>
      server.post("/vasini.agent.v1.OrchestratorService/SubmitTask", task, headers);
    for (const task of [inFolder, inRepository]) {
      const answer = await submit(open, task);
      expect([answer.status, await answer.json()]).toMatchObject([
        403,
        {
          details: [
            { debug: { code: "BATON-SERVER-016", fix: expect.stringContaining("evidence.workspaces") } },
          ],
        },
      ]);
      expect((await submit(open, task, { authorization: `Bearer ${operatorToken}` })).status).toBe(200);
    }
    const listed = await runServer(takingHub().hub, { hasListedWorkspaces: true });
    expect((await submit(listed, inFolder)).status).toBe(200);
  });

  it("names the holder of the token the operator, and refuses a wrong one for everything", async () => {
    const { hub, callers } = takingHub();
    const server = await runServer(hub);
    const submit = (credential: string) =>
      server.post("/vasini.agent.v1.OrchestratorService/SubmitTask", smallTask, {
        authorization: `Bearer ${credential}`,
      });
    expect((await submit(operatorToken)).status).toBe(200);
    expect(callers).toMatchObject([{ tenantId: "local", id: "operator", kind: "human" }]);
    expect((await submit(`${operatorToken.slice(0, -1)}_`)).status).toBe(401);
    expect((await submit("baton-session_none")).status).toBe(401);
  });

  it("opens to callers without a credential no method but those that watch, submit or serve", () => {
    const open = services
      .flatMap((service) => service.methods)
      .filter((method) => ruleOf(method)?.isOpen)
      .map(({ name }) => name);
    expect(open.filter((name) => !/^(Get|List|Watch|Explain|Preview|Verify|Compare)/.test(name))).toEqual([
      "SubmitTask",
      "AttachAgent",
      "RegisterAgent",
      "SendHeartbeat",
      "ReportStep",
      "PinTools",
    ]);
  });
});

describe("signing a page in", () => {
  const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

  async function started() {
    const server = await runServer();
    const code = async (credential = operatorToken) =>
      server.post("/v1/sign-in/codes", {}, bearer(credential));
    const exchange = async (code: string) => server.post("/v1/sign-in", { code });
    const abort = (session: string) =>
      server.post(
        "/vasini.agent.v1.OrchestratorService/AbortPipeline",
        { pipelineId: "p", reason: "r" },
        bearer(session),
      );
    return { server, code, exchange, abort };
  }

  it("exchanges a code once, for a session that can decide", async () => {
    const { server, code, exchange, abort } = await started();
    const { code: given } = (await (await code()).json()) as { code: string };
    const answer = await exchange(given);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { session } = (await answer.json()) as { session: string };
    expect((await abort(session)).status).toBe(404);
    const again = await exchange(given);
    expect([again.status, await again.json()]).toMatchObject([
      401,
      { details: [{ debug: { code: "BATON-SERVER-018", fix: expect.stringContaining("baton open") } }] },
    ]);
    const asked = await fetch(`${server.httpAddress}/v1/sign-in`, { headers: bearer(session) });
    expect(await asked.json()).toEqual({ needs: "operator", signed_in: true });
    await fetch(`${server.httpAddress}/v1/sign-in`, { method: "DELETE", headers: bearer(session) });
    expect((await abort(session)).status).toBe(401);
  });

  it("gives no code without the token, and none for a session", async () => {
    const { code, exchange } = await started();
    const { code: given } = (await (await code()).json()) as { code: string };
    const { session } = (await (await exchange(given)).json()) as { session: string };
    expect((await code("")).status).toBe(401);
    expect((await code(session)).status).toBe(401);
  });

  it("ends codes and sessions when their time is up", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { code, exchange, abort } = await started();
    const { code: late } = (await (await code()).json()) as { code: string };
    vi.setSystemTime(Date.now() + codeMs);
    expect((await exchange(late)).status).toBe(401);
    const { code: fresh } = (await (await code()).json()) as { code: string };
    const { session } = (await (await exchange(fresh)).json()) as { session: string };
    expect((await abort(session)).status).toBe(404);
    vi.setSystemTime(Date.now() + sessionMs);
    expect((await abort(session)).status).toBe(401);
  });

  it.each([
    ["a foreign page", { origin: "https://evil.example" }],
    ["a foreign name", { host: "evil.example" }],
  ])("is refused to %s, which burns no code", async (_, headers) => {
    const { server, code, exchange } = await started();
    const { code: given } = (await (await code()).json()) as { code: string };
    const status = await new Promise((resolve, reject) => {
      const asked = request(
        `${server.httpAddress}/v1/sign-in`,
        { method: "POST", headers: { "content-type": "application/json", ...headers } },
        (answer) => resolve(answer.resume().statusCode),
      );
      asked.on("error", reject).end(JSON.stringify({ code: given }));
    });
    expect(status).toBe(403);
    expect((await exchange(given)).status).toBe(200);
  });
});
