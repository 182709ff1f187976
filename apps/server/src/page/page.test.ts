import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { runServer } from "../../testing/running-server.ts";

const html = "<!doctype html><title>Baton</title>";
const script = "export const page = 1;";

describe("the page at the HTTP port", () => {
  it("is what a browser gets at any address of it, and asks for again", async () => {
    const server = await served(builtPage());
    for (const path of ["/", "/runs", "/runs/p-1?stage=build"]) {
      const answer = await fetch(server.httpAddress + path, { headers: { accept: "text/html,*/*" } });
      expect(await answer.text()).toBe(html);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      const etag = answer.headers.get("etag") ?? "";
      const again = await fetch(server.httpAddress + path, {
        headers: { accept: "text/html", "if-none-match": etag },
      });
      expect(again.status).toBe(304);
    }
  });

  it("takes nothing from elsewhere, runs nothing inline, and stands in nobody's frame", async () => {
    const server = await served(builtPage());
    const { headers } = await fetch(server.httpAddress);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("keeps assets for ever, and sends them compressed to clients that accept it", async () => {
    const server = await served(builtPage());
    const answer = await fetch(`${server.httpAddress}/assets/index-1a.js`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await answer.text()).toBe(script);
  });

  it.each([
    "/assets/other.js",
    "/assets/../built.json",
    "/assets/%2e%2e/built.json",
    "/built.json",
    "/../page.test.ts",
    "/assets/index-1a.js.gz",
    "/v1/elsewhere",
  ])("does not give out %s", async (path) => {
    const server = await served(builtPage());
    expect(await statusOf(server.httpAddress, path)).toBe(404);
  });

  it("is only for those who come by a name of the hub", async () => {
    const server = await served(builtPage());
    expect(await statusOf(server.httpAddress, "/", { host: "evil.example" })).toBe(403);
  });

  it("says how it is built where it is not, and is there once it is", async () => {
    const folder = emptyFolder();
    const server = await served(folder);
    const before = await fetch(server.httpAddress);
    expect(before.status).toBe(503);
    expect(await before.text()).toContain("npx baton-page");
    fill(folder);
    expect(await (await fetch(server.httpAddress)).text()).toBe(html);
  });

  it("is not there at all for a server that has none", async () => {
    const server = await runServer();
    expect((await fetch(server.httpAddress)).status).toBe(404);
  });
});

function served(page: string) {
  return runServer(undefined, { page });
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-built-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function builtPage(): string {
  const folder = emptyFolder();
  fill(folder);
  return folder;
}

function fill(folder: string): void {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), html);
  writeFileSync(join(folder, "assets/index-1a.js"), script);
  writeFileSync(join(folder, "assets/index-1a.js.gz"), gzipSync(script));
  writeFileSync(join(folder, "built.json"), "{}");
}

/** As it stands: fetch would tidy the path up before it asks. */
function statusOf(address: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(address, { path, headers: { accept: "text/html", ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject);
    asked.end();
  });
}
