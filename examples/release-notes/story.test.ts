import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const baton = resolve(import.meta.dirname, "../../apps/cli/bin/baton.mjs");

interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Runs `baton` in a folder; gives what it says line by line, and everything when it has ended. */
function run(folder: string, args: readonly string[], onLine: (line: string) => void = () => {}) {
  const child = spawn(process.execPath, [baton, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const line of text.split("\n")) if (line !== "") onLine(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Said>((done) => child.on("close", (code) => done({ stdout, stderr, code })));
  return { child, ended };
}

it("[TRN-03] a command becomes a specialist by its pack alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-example-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(import.meta.dirname, folder, { recursive: true });
  const ready = Promise.withResolvers<string>();
  const ports = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const hub = run(folder, ["up", ...ports], (line) => {
    if (line.includes('"ready"')) ready.resolve(JSON.parse(line).grpc);
  });
  onTestFinished(async () => {
    hub.child.kill("SIGTERM");
    await hub.ended;
  });
  const url = await ready.promise;
  const agents = await run(folder, ["agent", "list", "--hub", url]).ended;
  expect(agents.stdout).toContain("release-notes");
  const submitted = await run(folder, ["run", "--file", "task.yaml", "--hub", url]).ended;
  expect(submitted).toMatchObject({ code: 0 });
  const id = submitted.stdout.trim();
  const watched = await run(folder, ["pipeline", "watch", id, "--verbose", "--hub", url]).ended;
  expect(watched.stdout).toContain("New: find pages by their headings");
  const printed = await run(folder, ["pipeline", "show", id, "--output", "json", "--hub", url]).ended;
  expect(printed.stdout).toContain("- umlauts in titles");
});
