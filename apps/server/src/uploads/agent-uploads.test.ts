import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromBinary, hubUploads, toBinary } from "@baton/agent/uploads";
import { EgressFilter, openUploads } from "@baton/runtime";
import { expect, it, onTestFinished } from "vitest";
import { hubDouble } from "../../testing/hub-double.ts";
import { operatorToken, runServer } from "../../testing/running-server.ts";

const { signal } = new AbortController();

async function served(maxBytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "baton-uploads-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const uploads = openUploads(folder, {
    settings: { maxBytes },
    onProblem: (problem) => console.error(problem),
  });
  onTestFinished(() => uploads.close());
  return runServer(hubDouble(), {}, new EgressFilter(), uploads);
}

it("[SAC-11] content that an agent uploads is what another agent, or a browser, downloads", async () => {
  const server = await served(4_000_000);
  const client = hubUploads(server.grpcAddress, operatorToken);
  const content = randomBytes(3_000_000);
  const value = await toBinary(content, "application/pdf", client, signal);
  expect(value).toMatchObject({
    $ref: expect.stringMatching(/^baton:upload\//),
    size: content.length,
    media_type: "application/pdf",
  });
  expect(content.equals(await fromBinary(value, client, signal))).toBe(true);
  const read = await fetch(String(value.url));
  expect(content.equals(Buffer.from(await read.arrayBuffer()))).toBe(true);
});

it("[SAC-11] an agent learns why its content is refused, and what to do", async () => {
  const server = await served(1_000_000);
  const client = hubUploads(server.grpcAddress, undefined);
  const tooLarge = toBinary(randomBytes(3_000_000), "application/pdf", client, signal);
  await expect(tooLarge).rejects.toMatchObject({
    code: "BATON-SDK-023",
    message: expect.stringContaining("BATON-UPLOAD-002"),
  });
  const unknown = client.download("0".repeat(64), signal);
  await expect(unknown).rejects.toMatchObject({
    message: expect.stringContaining("there is no such upload"),
  });
  const stranger = hubUploads(server.grpcAddress, "wrong");
  await expect(stranger.download("0".repeat(64), signal)).rejects.toMatchObject({
    message: expect.stringContaining("BATON-SERVER-004"),
  });
  const nobody = hubUploads("http://127.0.0.1:9", undefined);
  await expect(nobody.download("0".repeat(64), signal)).rejects.toMatchObject({ code: "BATON-SDK-023" });
  const gone = new AbortController();
  gone.abort(new Error("the attempt is over"));
  await expect(client.download("0".repeat(64), gone.signal)).rejects.toThrow("the attempt is over");
});
