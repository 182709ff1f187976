import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import {
  createServer as createHttp2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  AgentTransport,
  ErrorDetailSchema,
  HealthStatus,
  OrchestratorService,
  RegistryService,
} from "@baton/contract";
import type { DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { expect, it, onTestFinished } from "vitest";
import { newFolder, startReady } from "../../testing/program.ts";
import { smallTaskMessage, withKey } from "../../testing/running-server.ts";
import { generateKey } from "../border/keys.ts";

/** A service of this machine that is no agent, and counts who calls it. */
async function startService() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    response.writeHead(403).end("the-secret-of-a-service");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return { seen, port: (server.address() as AddressInfo).port };
}

/** A hub with keys, and what an agent that listens does there. */
async function startHub(config: string) {
  const folder = newFolder();
  const key = generateKey({ id: "all", tenant: "acme", roles: ["agent", "submit"] });
  writeFileSync(join(folder, "keys.yaml"), JSON.stringify({ keys: [key.entry] }));
  writeFileSync(join(folder, "baton.yaml"), `keys: keys.yaml\n${config}`);
  const hub = await startReady(folder, "--config", "baton.yaml");
  const client = <Service extends DescService>(service: Service) => {
    const sessionManager = new Http2SessionManager(hub.ready.grpc);
    onTestFinished(() => sessionManager.abort());
    const interceptors = [withKey(key.key)];
    return createClient(
      service,
      createGrpcTransport({ baseUrl: hub.ready.grpc, sessionManager, interceptors }),
    );
  };
  const registry = client(RegistryService);
  await registry.registerAgent({
    manifest: {
      ...{ packId: "dev", packVersion: "1.0.0", supportedTaskTypes: ["implement"] },
      capabilitySchemaVersion: "1.0.0",
      interface: { supportedSchemaVersions: ["1.x"], acceptedRiskTiers: ["NORMAL"] },
    },
  });
  const listenAt = (uri: string, transport = AgentTransport.HTTP_JSON) =>
    registry.sendHeartbeat({
      heartbeat: {
        ...{ packId: "dev", instanceId: "dev-1", packVersion: "1.0.0", capacity: { maxTasks: 1 } },
        health: { status: HealthStatus.HEALTHY },
        endpoint: { uri, transport },
      },
    });
  return { hub, listenAt, orchestrator: client(OrchestratorService) };
}

it("with keys, an agent that listens where the configuration does not allow it is refused, and nothing is called", async () => {
  const service = await startService();
  const { listenAt, orchestrator } = await startHub("allowed_agent_hosts: [192.0.2.1, agents.invalid]\n");
  const addresses = [
    `http://127.0.0.1:${service.port}`,
    `http://localhost:${service.port}`,
    `http://127.1:${service.port}`,
    `http://2130706433:${service.port}`,
    `http://[::ffff:127.0.0.1]:${service.port}`,
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1",
  ];
  for (const uri of addresses) {
    for (const transport of [AgentTransport.HTTP_JSON, AgentTransport.GRPC]) {
      const error = await listenAt(uri, transport).then(() => undefined, ConnectError.from);
      expect(error?.code, uri).toBe(Code.PermissionDenied);
      const [detail] = error?.findDetails(ErrorDetailSchema) ?? [];
      expect(detail, uri).toMatchObject({
        code: "BATON-PUSH-002",
        fix: expect.stringContaining("allowed_agent_hosts"),
      });
    }
  }
  await listenAt("http://192.0.2.1:7500");
  await listenAt(`http://127.0.0.1:${service.port}`).catch(() => {});
  await orchestrator.submitTask(smallTaskMessage);
  await expect.poll(async () => (await orchestrator.listEscalations({})).escalations.length).toBe(1);
  expect(service.seen).toEqual([]);
});

/** The same over HTTP/2, with the error of a gRPC service. */
async function startGrpcService(status: number) {
  const seen: string[] = [];
  const server = createHttp2Server();
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    seen.push(String(headers[":path"]));
    const trailers = { "grpc-status": String(status), "grpc-message": "the-secret-of-a-service" };
    stream.respond({ ":status": 200, "content-type": "application/grpc", ...trailers }, { endStream: true });
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => void sessions.add(session));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

const { HTTP_JSON, GRPC } = AgentTransport;

it.each([
  ["over HTTP", startService, HTTP_JSON, "status 403", "/run"],
  [
    "over gRPC, as a failure",
    () => startGrpcService(Code.Internal),
    GRPC,
    "status internal",
    "/vasini.agent.v1.AgentService/RunAgent",
  ],
  [
    "over gRPC, as a refusal",
    () => startGrpcService(Code.PermissionDenied),
    GRPC,
    "status permission_denied",
    "/vasini.agent.v1.AgentService/RunAgent",
  ],
] as const)(
  "what a service that is no agent answers %s is passed to nobody",
  async (_, start, transport, reason, path) => {
    const service = await start();
    const { hub, listenAt, orchestrator } = await startHub("allowed_agent_hosts: [127.0.0.1]\n");
    await listenAt(`http://127.0.0.1:${service.port}`, transport);
    const { pipeline } = await orchestrator.submitTask(smallTaskMessage);
    const pipelineId = pipeline?.pipelineId ?? "";
    const listed = async () =>
      JSON.stringify(
        [await orchestrator.getPipeline({ pipelineId }), await orchestrator.listEscalations({})],
        (_, value) => (typeof value === "bigint" ? String(value) : value),
      );
    await expect.poll(listed, { timeout: 60_000 }).toContain(reason);
    expect(service.seen).toContain(path);
    expect(await listed()).not.toContain("the-secret");
    expect(hub.output.stderr).not.toContain("the-secret");
  },
);
