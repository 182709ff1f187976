import { chmodSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AuditService } from "@baton/contract";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, it } from "vitest";
import { asOperator, newFolder, startReady } from "../../testing/program.ts";
import { withKey } from "../../testing/running-server.ts";
import { generateKey } from "../border/keys.ts";

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const wrongToken = `baton-operator_${"x".repeat(43)}`;

it.each([
  ["GET", "/v1/sign-in", 200],
  ["POST", "/v1/sign-in/codes", 401],
])("[OBS-03] records a credential that %s %s refuses on a hub without keys", async (method, path, status) => {
  const { ready } = await startReady(newFolder(), "--data", ":memory:");
  const ask = (headers: Record<string, string>) => fetch(`${ready.http}${path}`, { method, headers });
  expect((await ask({})).status).toBe(status);
  expect((await ask(bearer(wrongToken))).status).toBe(status);
  const transport = createGrpcTransport({ baseUrl: ready.grpc, interceptors: asOperator(ready) });
  const { listAuditEntries } = createClient(AuditService, transport);
  const refusals = async () =>
    (await listAuditEntries({ filter: "event_type = AUDIT_EVENT_TYPE_KEY_REFUSED" })).entries;
  // A call without a credential is none that was refused.
  await expect
    .poll(async () => (await refusals()).map(({ rationale }) => rationale))
    .toEqual(["it is neither the operator token nor an open session"]);
});

it("[OBS-03] records a key that GET /v1/sign-in refuses", async () => {
  const folder = newFolder();
  const auditor = generateKey({ id: "auditor", tenant: "acme", roles: ["audit"] });
  writeFileSync(join(folder, "keys.yaml"), JSON.stringify({ keys: [auditor.entry] }));
  const { ready } = await startReady(folder, "--keys", "keys.yaml");
  const ask = async (key: string) => {
    const answer = await fetch(`${ready.http}/v1/sign-in`, { headers: bearer(key) });
    return ((await answer.json()) as { signed_in: boolean }).signed_in;
  };
  expect(await ask(auditor.key)).toBe(true);
  expect(await ask(auditor.key.replace(/.$/, (last) => (last === "x" ? "y" : "x")))).toBe(false);
  const transport = createGrpcTransport({ baseUrl: ready.grpc, interceptors: [withKey(auditor.key)] });
  const { listAuditEntries } = createClient(AuditService, transport);
  const refusals = async () =>
    (await listAuditEntries({ filter: "event_type = AUDIT_EVENT_TYPE_KEY_REFUSED" })).entries;
  await expect
    .poll(async () => (await refusals()).map(({ actor, rationale }) => [actor?.id, rationale]))
    .toEqual([["auditor", "its secret is wrong"]]);
});

it.each([
  ["others can read it", (file: string) => chmodSync(file, 0o644)],
  ["it is damaged", (file: string) => writeFileSync(file, "baton-operator_short\n")],
  [
    "it is a link",
    (file: string) => {
      renameSync(file, `${file}.elsewhere`);
      symlinkSync(`${file}.elsewhere`, file);
    },
  ],
])("makes another operator token when %s, and the one before decides nothing", async (_, spoil) => {
  const folder = newFolder();
  const file = join(folder, ".baton/operator.token");
  const serve = async () => {
    const hub = await startReady(folder);
    const issue = async (token: string) =>
      (await fetch(`${hub.ready.http}/v1/sign-in/codes`, { method: "POST", headers: bearer(token) })).status;
    const stop = async () => {
      hub.child.kill("SIGTERM");
      await hub.ended;
    };
    return { issue, stop };
  };
  const first = await serve();
  const before = readFileSync(file, "utf8").trim();
  expect(await first.issue(before)).toBe(200);
  await first.stop();
  const kept = await serve();
  expect(await kept.issue(before)).toBe(200);
  await kept.stop();
  spoil(file);
  const next = await serve();
  expect(await next.issue(before)).toBe(401);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await next.issue(readFileSync(file, "utf8").trim())).toBe(200);
});
