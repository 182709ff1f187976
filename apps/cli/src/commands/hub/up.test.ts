import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { leaveTraces } from "../../../testing/leftovers.ts";
import { runBaton, startBaton, startOnTerminal } from "../../../testing/run-baton.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A server that starts, prints that it is ready, and ends on SIGTERM. */
const server = join(folder, "server.mjs");
writeFileSync(
  server,
  `
const args = process.argv.slice(2);
process.stderr.write(JSON.stringify({ level: 30, time: 1801396800000, msg: "starting", args: args.join(" ") }) + "\\n");
if (args[0] === "store") {
  process.stdout.write(args.slice(1).join(" ") + "\\n");
  process.exit(args[1] === "check" ? 3 : 0);
}
if (process.env.DIE) process.kill(process.pid, "SIGKILL");
let signals = 0;
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {
  process.stderr.write(JSON.stringify({ level: 40, msg: "got " + signal + " " + ++signals }) + "\\n");
  setTimeout(() => process.exit(5), 50);
});
process.stdout.write(JSON.stringify({ ready: true, grpc: "http://127.0.0.1:7433", http: "http://127.0.0.1:7434", mode: "dev" }) + "\\n");
setInterval(() => {}, 1000);
`,
);
const env = { BATON_SERVER: server };

describe("baton up", () => {
  it("hands its options on, passes JSON through in a pipe, forwards a signal, gives the same exit code", async () => {
    const args = [
      "up",
      "--data",
      "d",
      "--config",
      "a.yaml",
      "--grpc",
      ":1",
      "--http",
      ":2",
      "--store-key",
      "k",
      "--keys",
      "keys.yaml",
      "--mode",
      "dev",
    ];
    const running = startBaton(args, { env });
    await running.printed("ready");
    running.child.kill("SIGTERM");
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ ready: true, grpc: "http://127.0.0.1:7433" });
    const [starting, signalled] = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(starting.args).toBe(
      "--data d --config a.yaml --grpc :1 --http :2 --keys keys.yaml --mode dev --store-key k",
    );
    expect(signalled.msg).toBe("got SIGTERM 1");
  });

  it("does not leave the server behind when it is killed", async () => {
    const traces = leaveTraces();
    const running = startBaton(["up"], { env: { ...env, ...traces.env } });
    await running.printed("ready");
    running.child.kill("SIGKILL");
    // The server has our standard error too, so this is when both have ended.
    const { stderr } = await running.ended;
    expect(stderr).toContain("got SIGTERM 1");
    await expect.poll(() => traces.processes()).toEqual([]);
  });

  it("says so when the server is killed, and gives the exit code of the signal", async () => {
    const running = startBaton(["up"], { env: { BATON_SERVER: server, DIE: "1" } });
    const { code, stderr } = await running.ended;
    expect(code).toBe(137);
    expect(stderr).toContain(
      "the hub was killed (SIGKILL); start it again: what it has acknowledged is stored",
    );
  });

  it("on a terminal, prints its addresses, and Ctrl-C reaches the server once", async () => {
    const running = startOnTerminal(["up"], { env: { ...env, NO_COLOR: "1" } });
    await running.printed("Ctrl-C");
    running.interrupt();
    const { stdout, code } = await running.ended;
    expect(code).toBe(5);
    expect(stdout).toContain(
      "Baton is up\r\n  gRPC  http://127.0.0.1:7433\r\n  page  http://127.0.0.1:7434\r\n",
    );
    expect(stdout).toContain("  mode  dev: one stage of a run at a time");
    expect(stdout).toContain("12:00:00  info   starting");
    expect(stdout.match(/got SIGINT/g)).toHaveLength(1);
  });
});

describe("baton store", () => {
  it("runs the server's own program on a data folder, with its output and exit code", async () => {
    const [backup, check] = await Promise.all([
      runBaton(["store", "backup", "--data", "d", "copy.db"], { env }),
      runBaton(["store", "check", "--data", "d"], { env }),
    ]);
    expect([backup.stdout, backup.code]).toEqual(["backup --data d copy.db\n", 0]);
    expect([check.stdout, check.code]).toEqual(["check --data d\n", 3]);
  });

  it("gives what a real store is found to be in JSON", async () => {
    const data = join(folder, "data");
    const program = join(import.meta.dirname, "../../../../server/bin/baton-server.mjs");
    const store = (...args: readonly string[]) =>
      runBaton(["-o", "json", "store", ...args], { env: { BATON_SERVER: program } });
    const missing = await store("check", "--data", data);
    expect([JSON.parse(missing.stderr).code, missing.stdout, missing.code]).toEqual([
      "BATON-STORE-006",
      "",
      4,
    ]);
  });
});
