import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import {
  HealthStatus,
  OrchestratorService,
  PipelineStatus,
  RefType,
  RegistryService,
  RiskTier,
  type TaskEnvelope,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { describe, expect, it, onTestFinished } from "vitest";
import { anyPorts, asOperator, newFolder, start, startReady } from "../testing/program.ts";
import { smallTask, smallTaskMessage } from "../testing/running-server.ts";

const manifest = {
  ...{ packId: "dev", packVersion: "1.0.0", supportedTaskTypes: ["implement"] },
  ...{ capabilitySchemaVersion: "1.0.0", minOrchestratorVersion: "0.1.0" },
  safetyTier: RiskTier.CRITICAL,
  interface: {
    supportedSchemaVersions: ["1.x"],
    acceptedRiskTiers: ["LOW", "NORMAL", "CRITICAL"],
    maxConcurrentTasks: 1,
  },
};
const heartbeat = {
  ...{ packId: "dev", instanceId: "dev-1", packVersion: "1.0.0" },
  health: { status: HealthStatus.HEALTHY },
  capacity: { maxTasks: 1 },
};
describe("baton-server", () => {
  it("[DIS-15] [PIP-11] keeps a task over a restart, and takes the same one only once", async () => {
    const folder = newFolder();
    const first = await startReady(folder);
    expect(first.ready).toEqual({
      ready: true,
      grpc: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      mode: "production",
      pid: first.child.pid,
      operatorTokenFile: join(realpathSync(folder), ".baton/operator.token"),
    });
    const submit = (baseUrl: string) =>
      createClient(OrchestratorService, createGrpcTransport({ baseUrl })).submitTask(smallTaskMessage);
    const taken = await submit(first.ready.grpc);
    expect(taken.existing).toBe(false);
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    const second = await startReady(folder);
    const again = await submit(second.ready.grpc);
    expect(again).toMatchObject({ existing: true, pipeline: { pipelineId: taken.pipeline?.pipelineId } });
    second.child.kill("SIGINT");
    expect(await second.ended).toBe(0);
  });

  it("[TRN-05] writes one line to stdout and its log as lines of JSON to stderr", async () => {
    const { child, output, ended } = await startReady(newFolder(), "--data", ":memory:");
    child.kill("SIGTERM");
    await ended;
    expect(output.stdout.trim().split("\n")).toHaveLength(1);
    const lines = output.stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg);
    expect(lines).toEqual(["sandbox of contract commands", "ready", "stopping", "stopped"]);
  });

  it("[PIP-03] [PIP-09] says in which mode it is: on its first line, in its log and to probes", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "hub.yaml"), "mode: dev\n");
    const args = ["--data", ":memory:", "--config", "hub.yaml"];
    const { ready, output } = await startReady(folder, ...args);
    expect(ready.mode).toBe("dev");
    expect(output.stderr).toContain('"mode":"dev"');
    expect(await (await fetch(`${ready.http}/readyz`)).json()).toMatchObject({
      status: "ready",
      mode: "dev",
    });
    const refused = start(folder, ...args, "--mode", "fast");
    expect(await refused.ended).toBe(2);
    expect(refused.output.stderr).toContain('"fast" is not a mode');
    expect(refused.output.stderr).toContain("use one of: dev, production");
  });

  it("[TRN-01] serves JSON and events of the hub itself", async () => {
    const { ready } = await startReady(newFolder(), "--data", ":memory:");
    const answer = await fetch(`${ready.http}/vasini.agent.v1.OrchestratorService/SubmitTask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(smallTask),
    });
    expect(answer.status).toBe(200);
    const events = await fetch(`${ready.http}/v1/events?after=0`);
    const text = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes("event: caught_up")) seen += (await text?.read())?.value ?? "";
    expect(seen).toContain("event: record");
    await text?.cancel();
  });

  it("[TRN-01] lets an agent in over the stream that it opens", async () => {
    const { ready } = await startReady(newFolder(), "--data", ":memory:");
    const sessionManager = new Http2SessionManager(ready.grpc);
    onTestFinished(() => sessionManager.abort());
    const transport = createGrpcTransport({ baseUrl: ready.grpc, sessionManager });
    async function* says() {
      yield { sequence: 1n, message: { case: "hello", value: { manifest, heartbeat } } } as const;
      await new Promise(() => undefined);
    }
    for await (const { message } of createClient(RegistryService, transport).attachAgent(says())) {
      expect(message).toMatchObject({ case: "welcome", value: { sessionId: expect.stringMatching(/./) } });
      break;
    }
    const { agents } = await createClient(RegistryService, transport).listAgents({});
    expect(agents.map((agent) => agent.heartbeat?.instanceId)).toEqual(["dev-1"]);
  });

  it("[DIS-11] reads references again as its configuration says, before an agent gets them", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "specs"));
    writeFileSync(join(folder, "specs/it.md"), "now");
    writeFileSync(
      join(folder, "baton.yaml"),
      `references: { folders: [specs], records: { crm: [${process.execPath}, -p, "process.argv[1]", --, "{locator}"] } }\n`,
    );
    const { ready } = await startReady(folder, "--config", "baton.yaml", "--data", ":memory:");
    const sessionManager = new Http2SessionManager(ready.grpc);
    onTestFinished(() => sessionManager.abort());
    const transport = createGrpcTransport({ baseUrl: ready.grpc, sessionManager });
    const freshness = { maxRefStaleness: { seconds: 60n } };
    await createClient(OrchestratorService, transport).submitTask({
      ...smallTaskMessage,
      plan: {
        case: "pipeline",
        value: {
          name: "One",
          stages: [{ stageId: "a", taskType: "implement", config: { handoffPolicy: { freshness } } }],
        },
      },
      refs: [
        { uriOrLocator: join(folder, "specs/it.md"), refType: RefType.FILE },
        { uriOrLocator: join(folder, "baton.yaml"), refType: RefType.FILE },
        { uriOrLocator: "crm:6*7", refType: RefType.DB_RECORD },
        { uriOrLocator: ready.http, refType: RefType.URL },
      ],
    });
    async function* says() {
      yield { sequence: 1n, message: { case: "hello", value: { manifest, heartbeat } } } as const;
      await new Promise(() => undefined);
    }
    for await (const { message } of createClient(RegistryService, transport).attachAgent(says())) {
      if (message.case !== "dispatch") continue;
      const sha256 = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
      expect(message.value.refs.map(({ digest, degraded }) => [digest, degraded])).toEqual([
        [sha256("now"), false],
        ["", true],
        [sha256("6*7\n"), false],
        ["", true],
      ]);
      break;
    }
  });

  it("[PIP-11] [TRN-05] reports damage that is found while it runs to probes, and continues", async () => {
    const folder = newFolder();
    const first = await startReady(folder);
    const interceptors = asOperator(first.ready);
    const client = createClient(
      OrchestratorService,
      createGrpcTransport({ baseUrl: first.ready.grpc, interceptors }),
    );
    const submit = (place: number, text = "") =>
      client.submitTask({ ...smallTaskMessage, idempotencyKey: `key-${place}`, inputs: { text } });
    const mark = "because here bits will be others";
    const { pipeline } = await submit(0);
    await client.abortPipeline({ pipelineId: pipeline?.pipelineId ?? "", reason: mark });
    // A store of less than 16 MiB is looked at whole before the start, and of a larger one the newest rows.
    for (let place = 1; place <= 18; place++) await submit(place, `${place}`.padEnd(1_000_000));
    for (let place = 19; place <= 100; place++) await submit(place);
    first.child.kill("SIGTERM");
    await first.ended;
    const database = join(folder, ".baton/baton.db");
    const bytes = readFileSync(database);
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at)) bytes[at] = 0x42;
    writeFileSync(database, bytes);
    const { ready, output } = await startReady(folder);
    const warned = async () => {
      const answer = await fetch(`${ready.http}/readyz`);
      const { warnings = [] } = (await answer.json()) as { warnings?: readonly string[] };
      return [answer.status, ...warnings];
    };
    await expect
      .poll(warned, { timeout: 60_000 })
      .toEqual([200, "the store is damaged (BATON-STORE-003): see the log or run baton store check"]);
    expect(output.stderr).toContain(database);
    const check = start(folder, "store", "check");
    expect(await check.ended).toBe(1);
  });

  it("ends with 2 and everything that is wrong when it is configured wrongly", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "baton.yaml"), "grpc: nowhere\ngrace: soon\n");
    const { output, ended } = start(folder, "--config", "baton.yaml");
    expect(await ended).toBe(2);
    expect(output.stderr).toContain("baton.yaml:1:1");
    expect(output.stderr).toContain("baton.yaml:2:1");
  });

  it("ends with 2 when it would be open to others without keys", async () => {
    const { output, ended } = start(newFolder(), "--data", ":memory:", "--http", "0.0.0.0:0");
    expect(await ended).toBe(2);
    expect(output.stderr).toContain("BATON-SERVER-002");
  });

  it("ends with 3 when an address is taken, and with 4 when the store is", async () => {
    const folder = newFolder();
    const { ready } = await startReady(folder);
    const taken = start(
      folder,
      "--data",
      ":memory:",
      "--grpc",
      new URL(ready.grpc).host,
      "--http",
      "127.0.0.1:0",
    );
    const locked = start(folder, ...anyPorts);
    expect([await taken.ended, await locked.ended]).toEqual([3, 4]);
    // Nothing stands before it: a hub that does not start logs nothing else.
    expect(taken.output.stderr).toMatch(/^BATON-SERVER-001/);
    const { host } = new URL(ready.grpc);
    expect(taken.output.stderr).toContain(`gRPC: a Baton hub already runs at ${host}`);
    expect(taken.output.stderr).toContain(
      `use that hub (baton --hub http://${host} COMMAND), stop it, or choose another address: --grpc HOST:PORT`,
    );
    const page = new URL(ready.http).host;
    const second = start(newFolder(), "--data", ":memory:", "--grpc", "127.0.0.1:0", "--http", page);
    expect(await second.ended).toBe(3);
    expect(second.output.stderr).toContain(`HTTP: a Baton hub already runs at ${page}`);
    expect(locked.output.stderr).toContain("BATON-STORE-001");
  });

  it("[TRN-05] lets an attached agent finish its work on SIGTERM, and accepts nothing new", async () => {
    const folder = newFolder();
    const { child, ready, ended } = await startReady(folder, "--grace", "1m");
    const sessionManager = new Http2SessionManager(ready.grpc);
    onTestFinished(() => sessionManager.abort());
    const transport = createGrpcTransport({ baseUrl: ready.grpc, sessionManager });
    const answered = Promise.withResolvers<TaskEnvelope>();
    async function* says() {
      yield { sequence: 1n, message: { case: "hello", value: { manifest, heartbeat } } } as const;
      const value = resultFor(await answered.promise);
      yield { sequence: 2n, message: { case: "result", value } } as const;
      await new Promise(() => undefined);
    }
    const client = createClient(OrchestratorService, transport);
    const received: string[] = [];
    let pipelineId = "";
    const stream = createClient(RegistryService, transport).attachAgent(says());
    const listening = (async () => {
      let envelope: TaskEnvelope | undefined;
      for await (const { message } of stream) {
        received.push(message.case ?? "");
        if (message.case === "welcome")
          pipelineId = (await client.submitTask(smallTaskMessage)).pipeline?.pipelineId ?? "";
        if (message.case === "dispatch") {
          envelope = message.value;
          child.kill("SIGTERM");
        }
        if (message.case !== "drain" || !envelope) continue;
        expect((await fetch(`${ready.http}/readyz`)).status).toBe(503);
        const refused = await client
          .submitTask({ ...smallTaskMessage, idempotencyKey: "late" })
          .catch((e) => e);
        expect(ConnectError.from(refused).code).toBe(Code.Unavailable);
        await createClient(RegistryService, transport).sendHeartbeat({ heartbeat });
        answered.resolve(envelope);
      }
    })();
    listening.catch(() => undefined); // That the hub stops is how the stream ends.
    expect(await ended).toBe(0);
    await listening.catch((error) => expect(ConnectError.from(error).code).toBe(Code.Unavailable));
    expect(received).toEqual(["welcome", "dispatch", "drain", "acknowledged"]);
    const next = await startReady(folder);
    const again = createClient(OrchestratorService, createGrpcTransport({ baseUrl: next.ready.grpc }));
    const { pipeline } = await again.getPipeline({ pipelineId });
    expect(pipeline?.status).toBe(PipelineStatus.COMPLETED);
  });

  it("[TRN-05] ends at once on the second signal", async () => {
    const { child, output, ended, ready } = await startReady(newFolder(), "--data", ":memory:");
    const slow = connect(Number(new URL(ready.http).port), "127.0.0.1");
    onTestFinished(() => void slow.destroy());
    slow.on("error", () => undefined).write("GET /healthz HTTP/1.1\r\n"); // Never ends, so it is waited for.
    await expect.poll(() => fetch(`${ready.http}/healthz`).then(({ status }) => status)).toBe(200);
    child.kill("SIGTERM");
    await expect.poll(() => output.stderr).toContain('"stopping"');
    await expect.poll(() => output.stderr).toContain("s; a second signal exits at once");
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
  });

  it("reports what it knows", async () => {
    const { output, ended } = start(newFolder(), "--help");
    expect(await ended).toBe(0);
    expect(output.stdout).toContain("--routing-policy FILE");
  });
});
