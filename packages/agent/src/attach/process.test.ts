import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { EvidenceType, Outcome } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { envelope } from "../../testing/index.ts";
import { endAll, startHub } from "./testing/attached.ts";

afterEach(endAll);

const tester = fileURLToPath(new URL("./testing/tester.ts", import.meta.url));

function startProcess(env: Record<string, string>) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [tester], {
    env: { PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, ended: once(child, "exit"), stderr: text(child.stderr) };
}

describe("an agent process", () => {
  it("[TRN-05] finds its hub by the environment, works, and closes gracefully on SIGTERM", async () => {
    const hub = await startHub();
    const { child, ended, stderr } = startProcess({ BATON_HUB: hub.address, BATON_API_KEY: "secret" });
    const stream = await hub.streams.take();
    expect(stream.headers.get("authorization")).toBe("Bearer secret");
    stream.dispatch(envelope({ environment: { testCommand: `node -e "console.log('2 passed')"` } }));
    const { value } = await stream.next("result");
    expect(value).toMatchObject({
      status: { outcome: Outcome.SUCCESS, summary: "all tests pass" },
      evidence: {
        evidencePayload: {
          value: { items: [{ type: EvidenceType.TEST, output: "2 passed\n", passed: true, exitCode: 0 }] },
        },
      },
    });
    child.kill("SIGTERM");
    await stream.ended.promise;
    expect(await ended).toEqual([0, null]);
    expect(await stderr).toBe("");
  });

  it("reports that it was never accepted when a signal closes it first", async () => {
    const { child, ended, stderr } = startProcess({ BATON_HUB: "http://127.0.0.1:1" });
    child.stderr.once("data", () => child.kill("SIGINT")); // The first output is the outage.
    expect(await ended).toEqual([1, null]);
    const [away = "", ...left] = (await stderr).split("\n");
    expect(away).toMatch(/fix: start the hub \((?:npx )?baton up\), or set BATON_HUB to where it listens/);
    // Without a stack.
    expect(left).toEqual([
      "BATON-SDK-003  the agent was closed before the hub accepted it",
      "  at http://127.0.0.1:1",
      "  fix: start the hub, or set BATON_HUB to where it listens",
      "",
    ]);
  });

  it("prints one line for an outage and one for its end", async () => {
    const hub = await startHub({ heartbeatMs: 50 });
    const { child, ended, stderr } = startProcess({ BATON_HUB: hub.address });
    await hub.streams.take();
    hub.dropConnections();
    const back = await hub.streams.take();
    await back.next("heartbeat");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect((await stderr).split("\n")).toEqual([
      expect.stringContaining("BATON-SDK-015  the hub is unreachable"),
      `the hub is back (${hub.address})`,
      "",
    ]);
  });

  it("names the gRPC address when the port speaks HTTP/1.1", async () => {
    const pages = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
    await once(pages, "listening");
    const address = pages.address();
    const port = typeof address === "object" ? address?.port : "";
    const { child, ended, stderr } = startProcess({ BATON_HUB: `http://127.0.0.1:${port}` });
    child.stderr.once("data", () => child.kill("SIGINT"));
    await ended;
    pages.close();
    expect(await stderr).toContain("the port does not speak gRPC");
    expect(await stderr).toContain("fix: set BATON_HUB to the hub's gRPC address");
  });

  it("prints the hub's reason, and not the key, when the hub refuses it", async () => {
    const hub = await startHub({ refuse: () => new ConnectError("unknown key", Code.Unauthenticated) });
    const { ended, stderr } = startProcess({ BATON_HUB: hub.address, BATON_API_KEY: "secret" });
    expect(await ended).toEqual([1, null]);
    expect(await stderr).toContain("the hub refused the agent: unknown key");
    expect(await stderr).toContain("set BATON_API_KEY");
    expect(await stderr).not.toContain("secret");
  });
});
