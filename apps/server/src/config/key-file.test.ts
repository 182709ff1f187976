import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AuditService, HealthStatus, OrchestratorService, RegistryService } from "@baton/contract";
import type { DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { expect, it, onTestFinished } from "vitest";
import { newFolder, startReady } from "../../testing/program.ts";
import { withKey } from "../../testing/running-server.ts";
import { generateKey, type KeyEntry, type Role } from "../border/keys.ts";

const polling = { timeout: 60_000, interval: 50 };

const make = (id: string, role: Role, tenant = "acme", expires?: string) =>
  generateKey({ id, tenant, roles: [role], ...(expires !== undefined && { expires }) });

/** As editors write: another file is moved to its place. */
function write(folder: string, entries: readonly KeyEntry[] | string): void {
  const text = typeof entries === "string" ? entries : JSON.stringify({ keys: entries });
  writeFileSync(join(folder, "keys.new"), text);
  renameSync(join(folder, "keys.new"), join(folder, "keys.yaml"));
}

function clientOf<Service extends DescService>(baseUrl: string, service: Service, key: string) {
  const sessionManager = new Http2SessionManager(baseUrl);
  onTestFinished(() => sessionManager.abort());
  const transport = createGrpcTransport({ baseUrl, sessionManager, interceptors: [withKey(key)] });
  return createClient(service, transport);
}

it("keys are revoked, added and expire without a restart; a bad file changes nothing and is reported", async () => {
  const folder = newFolder();
  const [auditor, watcher, brief, agent] = [
    make("auditor", "audit"),
    make("watcher", "submit"),
    make("brief", "submit", "acme", "2999-01-01"),
    make("agents", "agent"),
  ];
  const all = [auditor, watcher, brief, agent].map(({ entry }) => entry);
  write(folder, all);
  const hub = await startReady(folder, "--keys", "keys.yaml");
  const { grpc, http } = hub.ready;
  expect(hub.ready).not.toHaveProperty("operatorTokenFile");
  const record = clientOf(grpc, AuditService, auditor.key);
  const list = (key: string) =>
    clientOf(grpc, OrchestratorService, key)
      .listPipelines({})
      .then(
        () => "listed",
        (error) => Code[ConnectError.from(error).code],
      );
  const ending = (stream: AsyncIterable<unknown>) =>
    (async () => {
      for await (const _ of stream);
    })().catch(ConnectError.from);
  const watching = (key: string) => ending(clientOf(grpc, OrchestratorService, key).watchEvents({}));
  const warnings = async () => (await fetch(`${http}/readyz`)).text();

  // The streams of every kind are open before their keys are gone.
  const watched = watching(watcher.key);
  const expiring = watching(brief.key);
  const events = await fetch(`${http}/v1/events`, { headers: { authorization: `Bearer ${watcher.key}` } });
  expect(events.status).toBe(200);
  async function* hello() {
    const manifest = {
      ...{
        packId: "dev",
        packVersion: "1.0.0",
        supportedTaskTypes: ["code"],
        capabilitySchemaVersion: "1.0.0",
      },
      interface: { supportedSchemaVersions: ["1.x"], acceptedRiskTiers: ["NORMAL"] },
    };
    const heartbeat = {
      ...{ packId: "dev", instanceId: "dev-1", packVersion: "1.0.0" },
      ...{ health: { status: HealthStatus.HEALTHY }, capacity: { maxTasks: 1 } },
    };
    yield { sequence: 1n, message: { case: "hello", value: { manifest, heartbeat } } } as const;
    await new Promise(() => {});
  }
  const attached = ending(clientOf(grpc, RegistryService, agent.key).attachAgent(hello()));

  write(folder, "keys: [ { id: nobody }");
  await expect.poll(warnings, polling).toContain("key file");
  expect(await list(watcher.key)).toBe("listed");
  rmSync(join(folder, "keys.yaml"));
  expect(await list(watcher.key)).toBe("listed");

  const fresh = make("fresh", "submit", "globex");
  const soon = new Date(Date.now() + 1_000).toISOString();
  write(folder, [auditor.entry, { ...brief.entry, expires: soon }, fresh.entry]);
  await expect.poll(() => list(watcher.key), polling).toBe("Unauthenticated");
  expect(await list(fresh.key)).toBe("listed");
  await expect.poll(warnings, polling).not.toContain("key file");
  for (const error of [await watched, await attached])
    expect(error).toMatchObject({
      code: Code.Unauthenticated,
      rawMessage: expect.stringContaining("revoked"),
    });
  expect(await events.text()).toContain("BATON-SERVER-004");

  expect(await expiring).toMatchObject({ code: Code.Unauthenticated });
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
  expect(await list(brief.key)).toBe("Unauthenticated");

  // However often: one entry at once, the others counted.
  for (let call = 0; call < 20; call++) await list(watcher.key);
  for (let call = 0; call < 5; call++) await list("baton_nobody_x");
  const entries = async (type: string) =>
    (await record.listAuditEntries({ filter: `event_type = AUDIT_EVENT_TYPE_${type}` })).entries;
  // The entry is written after the call is answered.
  const refused = async () =>
    (await entries("KEY_REFUSED")).map(({ actor, rationale }) => `${actor?.id}: ${rationale}`).toSorted();
  await expect
    .poll(refused, polling)
    .toEqual([": no key has this id", "brief: it has expired", "watcher: it was revoked"]);
  const [changed] = await entries("CONFIGURATION_CHANGED");
  expect(changed?.rationale).toBe('key "watcher" revoked; key "agents" revoked; key "brief" changed');
  const logged = hub.output.stderr;
  for (const { key } of [auditor, watcher, brief, agent, fresh]) expect(logged).not.toContain(key);
});
