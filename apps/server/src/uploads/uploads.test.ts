import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EgressFilter, openUploads, type UploadRef, type UploadSettings } from "@baton/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { hubDouble } from "../../testing/hub-double.ts";
import { runServer, type TestConfig } from "../../testing/running-server.ts";
import { generateKey, type Role } from "../border/keys.ts";

const key = (id: string, tenant: string, ...roles: Role[]) => generateKey({ id, tenant, roles });
const agent = key("agent", "acme", "agent");
const auditor = key("auditor", "acme", "audit");
const stranger = key("stranger", "other", "agent");
const keys = [agent, auditor, stranger].map(({ entry }) => entry);

async function serving(settings: Partial<UploadSettings> = {}, config: TestConfig = { keys }) {
  const folder = mkdtempSync(join(tmpdir(), "baton-uploads-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const uploads = openUploads(folder, { settings, onProblem: (problem) => console.error(problem) });
  onTestFinished(() => uploads.close());
  const server = await runServer(hubDouble(), config, new EgressFilter(), uploads);
  const address = server.httpAddress;
  const headers = (secret: string | undefined) => ({ ...(secret && { authorization: `Bearer ${secret}` }) });
  const post = (
    body: NonNullable<RequestInit["body"]>,
    secret: string | undefined = agent.key,
    type = "image/png",
  ) =>
    fetch(`${address}/uploads`, {
      ...{ method: "POST", body, headers: { ...headers(secret), "content-type": type } },
      ...(body instanceof ReadableStream && { duplex: "half" as const }),
    });
  const get = (path: string, secret?: string) => fetch(`${address}${path}`, { headers: headers(secret) });
  return { server, folder, post, get };
}

const refOf = async (answer: Response) => (await answer.json()) as UploadRef;
const pathOf = ({ $ref }: UploadRef) => `/uploads/${$ref.slice("baton:upload/".length)}`;
const codeOf = async (answer: Response) => {
  const { details } = (await answer.json()) as { details: [{ debug: { code: string } }] };
  return [answer.status, details[0].debug.code];
};

describe("POST /uploads", () => {
  it("[SAC-11] stores a body of any length while it arrives, and returns a reference whose address anyone may read", async () => {
    const { post, server } = await serving();
    const content = randomBytes(1_000_000);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < content.length; at += 100_000)
          controller.enqueue(content.subarray(at, at + 100_000));
        controller.close();
      },
    });
    const answer = await post(body);
    expect(answer.status).toBe(201);
    const ref = await refOf(answer);
    expect(ref).toMatchObject({ media_type: "image/png", size: content.length });
    expect(ref.url.startsWith(`${server.httpAddress}${pathOf(ref)}?`)).toBe(true);
    const read = await fetch(ref.url);
    expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": "attachment",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    const head = await fetch(ref.url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "1000000"]);
  });

  it("[SAC-11] [SEC-01] is for agents and people with a key of the tenant, and another tenant sees nothing", async () => {
    const { post, get } = await serving();
    expect(await codeOf(await post("x", "not-a-key"))).toEqual([401, "BATON-SERVER-004"]);
    expect(await codeOf(await post("x", auditor.key))).toEqual([403, "BATON-SERVER-005"]);
    const ref = await refOf(await post("x"));
    expect((await get(pathOf(ref), agent.key)).status).toBe(200);
    expect(await codeOf(await get(pathOf(ref), stranger.key))).toEqual([404, "BATON-UPLOAD-004"]);
    expect(await codeOf(await get(pathOf(ref)))).toEqual([401, "BATON-SERVER-004"]);
    expect(await codeOf(await get(`${new URL(ref.url).pathname}${new URL(ref.url).search}0`))).toEqual([
      404,
      "BATON-UPLOAD-004",
    ]);
  });

  it("[SAC-11] refuses what is too large, too much or of no type, also in the middle of a body", async () => {
    const { post, folder } = await serving({ maxBytes: 100_000, tenantBytes: 150_000 });
    expect(await codeOf(await post("x", agent.key, ""))).toEqual([400, "BATON-UPLOAD-001"]);
    expect(await codeOf(await post(randomBytes(100_001)))).toEqual([429, "BATON-UPLOAD-002"]);
    expect((await post(randomBytes(100_000))).status).toBe(201);
    expect(await codeOf(await post(randomBytes(100_000)))).toEqual([429, "BATON-UPLOAD-003"]);
    const left = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("[SAC-11] refuses a body that does not arrive, and an address that has expired", async () => {
    const { post, get } = await serving({ linkMs: 0 }, { keys, limits: { bodyTimeoutMs: 100 } });
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(randomBytes(10)) });
    expect(await codeOf(await post(endless))).toEqual([504, "BATON-UPLOAD-007"]);
    const ref = await refOf(await post("x"));
    const { pathname, search } = new URL(ref.url);
    expect(await codeOf(await get(`${pathname}${search}`))).toEqual([403, "BATON-UPLOAD-005"]);
    expect((await get(pathname, agent.key)).status).toBe(200);
  });

  it("[SAC-11] works at the port for gRPC, which agents know, and the address leads to the one for HTTP/1.1", async () => {
    const { server } = await serving({}, {});
    const session = connect(server.grpcAddress);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":method": "POST", ":path": "/uploads", "content-type": "text/plain" });
    stream.end("over HTTP/2");
    let text = "";
    stream.setEncoding("utf8").on("data", (piece) => {
      text += piece;
    });
    await once(stream, "end");
    const ref = JSON.parse(text) as UploadRef;
    expect(ref.url.startsWith(server.httpAddress)).toBe(true);
    expect(await (await fetch(ref.url)).text()).toBe("over HTTP/2");
  });

  it("[SAC-11] keeps its address through the redaction of answers", async () => {
    const { post } = await serving();
    const ref = await refOf(await post("x"));
    const { value } = new EgressFilter().at("event").redactValue({ data: ref });
    expect(value).toEqual({ data: ref });
  });
});
