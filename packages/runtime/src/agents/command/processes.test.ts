/** Processes of a command do not outlive it, however it ends. All processes here are real. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AbortPipelineRequestSchema, PipelineStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ada, ended, submit } from "../../../testing/test-hub.ts";
import { hubWith, processesWith, reaches } from "./testing/command-hub.ts";
import { nodePack } from "./testing/packs.ts";

const polling = { timeout: 60_000, interval: 50 };

/** In the command line of everything that a test starts. */
let tag = "";
beforeEach(() => {
  tag = `tag-${randomUUID()}`;
});

/** Sleeps, and ignores SIGTERM. */
const stubborn = () => `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); /* ${tag} */`;

/** A command with a child in its group, a grandchild, and one in a session of its own. */
const family = (then: string) => `
  import { spawn } from "node:child_process";
  const start = (script, detached) =>
    spawn(process.execPath, ["--eval", script], { detached, stdio: "ignore" }).unref();
  start(${JSON.stringify(stubborn())}, false);
  start(${JSON.stringify(stubborn())}, true);
  start("require('node:child_process').spawn(process.execPath, ['--eval', " + ${JSON.stringify(
    JSON.stringify(stubborn()),
  )} + "], { detached: true, stdio: 'ignore' }).unref();" + ${JSON.stringify(stubborn())}, true);
  ${then}`;

/** The command itself has the tag in its script too. */
const all = 5;
const limits = { stopMs: 300 };
const linux = process.platform === "linux";

describe.runIf(linux)("what a command starts", () => {
  it("[TRN-03] ends with the attempt when a person ends the pipeline", async () => {
    const hub = await hubWith([nodePack(family(stubborn()))], { commands: { limits } });
    const pipelineId = await submit(hub);
    await expect
      .poll(() => processesWith(tag).then(({ length }) => length), polling)
      .toBeGreaterThanOrEqual(all);
    await hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId, reason: "enough" }));
    await expect.poll(() => processesWith(tag), polling).toEqual([]);
    await reaches(hub, pipelineId, PipelineStatus.ABORTED);
  });

  it("[TRN-03] ends with the command when that ends by itself", async () => {
    const answer = `setTimeout(() => { console.log('{"status":"success","summary":"done"}'); process.exit(0); }, 300);`;
    const hub = await hubWith([nodePack(family(answer))], { commands: { limits } });
    const { status } = await reaches(hub, await submit(hub), ...ended);
    expect(status).toBe(PipelineStatus.COMPLETED);
    expect(await processesWith(tag)).toEqual([]);
  });

  it("[TRN-03] ends with the hub when that stops", async () => {
    const hub = await hubWith([nodePack(family(stubborn()))], { commands: { limits } });
    await submit(hub);
    await expect
      .poll(() => processesWith(tag).then(({ length }) => length), polling)
      .toBeGreaterThanOrEqual(all);
    await hub.drain(0);
    expect(await processesWith(tag)).toEqual([]);
  });

  it("[TRN-03] ends with the hub when that is killed", async () => {
    const program = fileURLToPath(new URL("./testing/hub-process.ts", import.meta.url));
    const hub = spawn(process.execPath, [program, family(stubborn())], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(hub.stdout, "data");
    // The hub has the script among its own arguments.
    await expect
      .poll(() => processesWith(tag).then(({ length }) => length), polling)
      .toBeGreaterThanOrEqual(all + 1);
    hub.kill("SIGKILL");
    await expect.poll(() => processesWith(tag), polling).toEqual([]);
  });

  it("[TRN-03] has its grace when the hub stops in order, and none when the hub is killed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-grace-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "log");
    const script = `
      const { appendFileSync } = await import("node:fs");
      process.on("SIGTERM", () => { appendFileSync(${JSON.stringify(path)}, "stopped"); process.exit(0); });
      appendFileSync(${JSON.stringify(path)}, "begun, ");
      setInterval(() => {}, 1000); /* ${tag} */`;
    const readLog = () => readFile(path, "utf8").catch(() => "");
    const program = fileURLToPath(new URL("./testing/hub-process.ts", import.meta.url));
    const killed = spawn(process.execPath, [program, script, folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await expect.poll(readLog, polling).toBe("begun, ");
    killed.kill("SIGKILL");
    await expect.poll(() => processesWith(tag), polling).toEqual([]);
    expect(await readLog()).toBe("begun, ");
    const hub = await hubWith([nodePack(script)]);
    await submit(hub, { workspace: { repository: folder, path: folder } });
    await expect.poll(readLog, polling).toBe("begun, begun, ");
    await hub.drain(0);
    expect(await readLog()).toBe("begun, begun, stopped");
  });

  it("[TRN-03] ends when somebody kills what looks after it, and the attempt is tried again", async () => {
    const script = `
      if (process.env.BATON_ATTEMPT === "1") { ${family("").replace(/import .*;/, 'const { spawn } = await import("node:child_process");')}
        setInterval(() => {}, 1000);
      } else console.log('{"status":"success","summary":"done"}');`;
    const hub = await hubWith([nodePack(script)], { commands: { limits } });
    const pipelineId = await submit(hub);
    await expect
      .poll(() => processesWith(tag).then(({ length }) => length), polling)
      .toBeGreaterThanOrEqual(all);
    const tagged = new Set(await processesWith(tag));
    const supervisors = (await processesWith("supervisor/main.")).filter((pid) => tagged.has(pid));
    expect(supervisors).toHaveLength(1);
    for (const pid of supervisors) process.kill(pid, "SIGKILL");
    const {
      status,
      stages: [stage],
    } = await reaches(hub, pipelineId, ...ended);
    expect(status).toBe(PipelineStatus.COMPLETED);
    expect(stage?.attemptNumber).toBe(2);
    expect(await processesWith(tag)).toEqual([]);
  });
});
