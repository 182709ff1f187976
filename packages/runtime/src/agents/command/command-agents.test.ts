import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HealthStatus, Outcome, PipelineStatus } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished } from "vitest";
import { TestAgent } from "../../../testing/test-agent.ts";
import { ended, planOf, submit } from "../../../testing/test-hub.ts";
import { pipelineIdFor } from "../../engine/pipeline-id.ts";
import { agentsOf, auditOf, eventsOf, hubWith, reaches } from "./testing/command-hub.ts";
import { manifestOf, nodePack, packOf } from "./testing/packs.ts";

const answer = (more = "") => `console.log(JSON.stringify({ status: "success", summary: "done" ${more} }));`;

/** For commands that leave files where the test looks. */
const outside = { sandbox: "off" } as const;

/** One attempt, then it is over. */
const once = (timeoutMs = 60_000) => {
  const retry = { maxAttempts: 1, initialBackoff: durationFromMs(1), maxBackoff: durationFromMs(1) };
  return planOf(stages({ work: { timeout: durationFromMs(timeoutMs), handoffPolicy: { retry } } }));
};

describe("a command as an agent", () => {
  it("[TRN-03] is registered by the hub itself, healthy, with room for one task", async () => {
    const hub = await hubWith([nodePack(answer())]);
    const [agent, ...others] = await agentsOf(hub);
    expect(others).toEqual([]);
    expect(agent?.heartbeat).toMatchObject({
      ...{ packId: "dev", instanceId: "dev-command", packVersion: "1.0.0" },
      health: { status: HealthStatus.HEALTHY },
      capacity: { activeTasks: 0, maxTasks: 1 },
    });
  });

  it("[TRN-03] gets the envelope on standard input, and its lean answer becomes the result", async () => {
    const script = `
      import { readFileSync } from "node:fs";
      const { contract, execution } = JSON.parse(readFileSync(0, "utf8"));
      const data = { title: contract.title, attempt: execution.attemptNumber };
      ${answer(", data")}`;
    const hub = await hubWith([nodePack(script)]);
    const id = await submit(hub);
    const {
      stages: [stage],
    } = await reaches(hub, id, ...ended);
    expect((await auditOf(hub, id)).at(-1)?.rationale).toBe("1 stage completed");
    expect(stage?.result?.status).toMatchObject({ outcome: Outcome.SUCCESS, summary: "done" });
    expect(stage?.result?.response?.data).toEqual({ title: "Do it", attempt: 1 });
  });

  it("[TRN-03] is the only one that is given its tasks: nobody attaches under its name", async () => {
    const hub = await hubWith([nodePack(answer())]);
    const { ended: refused } = new TestAgent(hub, { packId: "dev", instanceId: "dev-command" });
    await expect(refused).rejects.toThrow("is a command that the hub starts itself");
    const {
      stages: [stage],
    } = await reaches(hub, await submit(hub), ...ended);
    expect(stage?.result?.status?.summary).toBe("done");
  });

  it.each([
    ["as the last argument", false],
    ["where its place is named", true],
  ])("[TRN-03] gets the envelope as a file, %s", async (_where, isNamed) => {
    const script = `
      const { readFileSync } = require("node:fs");
      const path = process.argv.at(${isNamed ? -2 : -1});
      const data = { title: JSON.parse(readFileSync(path, "utf8")).contract.title };
      ${answer(", data")}`;
    const run = [process.execPath, "--eval", script, ...(isNamed ? ["{envelope}", "last"] : [])];
    const hub = await hubWith([packOf({ run, envelope: "file" })]);
    const {
      stages: [stage],
    } = await reaches(hub, await submit(hub), ...ended);
    expect(stage?.result?.response?.data).toEqual({ title: "Do it" });
  });

  it("[TRN-03] runs in the folder of the task", async () => {
    const path = await realpath(await mkdtemp(join(tmpdir(), "baton-place-")));
    onTestFinished(() => rm(path, { recursive: true }));
    const hub = await hubWith([nodePack(answer(", data: { cwd: process.cwd() }"))]);
    const id = await submit(hub, { workspace: { repository: path, path } });
    const {
      stages: [stage],
    } = await reaches(hub, id, ...ended);
    expect(stage?.result?.response?.data).toEqual({ cwd: path });
  });

  it("[TRN-03] gets an empty folder of its own when the task names none, which is gone afterwards", async () => {
    const script = `
      import { readdirSync, existsSync } from "node:fs";
      const data = { files: readdirSync("."), cwd: process.cwd() };
      ${answer(", data")}`;
    const hub = await hubWith([nodePack(script)]);
    const {
      stages: [stage],
    } = await reaches(hub, await submit(hub), ...ended);
    const { files, cwd } = (stage?.result?.response?.data ?? {}) as { files: string[]; cwd: string };
    expect(files).toEqual([]);
    await expect.poll(() => realpath(cwd).catch(() => "gone")).toBe("gone");
  });

  it("[TRN-03] does not start in a folder that is not allowed", async () => {
    const hub = await hubWith([nodePack(answer())], { commands: { workspaces: ["/nowhere"] } });
    const id = await submit(hub, { workspace: { repository: tmpdir(), path: tmpdir() }, plan: once() });
    await reaches(hub, id, PipelineStatus.FAILED, PipelineStatus.PAUSED);
    const entries = await auditOf(hub, id);
    expect(entries.map(({ rationale }) => rationale).join("\n")).toContain("outside the folders");
  });

  it("[TRN-03] starts in a place that the hub made for its pipeline, and in no other one's", async () => {
    const ownPlaces = await realpath(await mkdtemp(join(tmpdir(), "baton-places-")));
    onTestFinished(() => rm(ownPlaces, { recursive: true }));
    const hub = await hubWith([nodePack(answer(", data: { cwd: process.cwd() }"))], {
      commands: { workspaces: [], ownPlaces },
    });
    const place = join(ownPlaces, pipelineIdFor("acme", "key-1"), "work", "1");
    await mkdir(place, { recursive: true });
    const workspace = { repository: place, path: place };
    const [own] = (await reaches(hub, await submit(hub, { workspace, plan: once() }), ...ended)).stages;
    expect(own?.result?.response?.data).toEqual({ cwd: place });
    const other = await submit(hub, { workspace, plan: once(), idempotencyKey: "key-2" });
    await reaches(hub, other, PipelineStatus.FAILED, PipelineStatus.PAUSED);
    const rationales = (await auditOf(hub, other)).map(({ rationale }) => rationale).join("\n");
    expect(rationales).toContain("outside the folders");
  });

  it("[TRN-03] has its envelope and prompt where the hub keeps such things, and nobody else looks into", async () => {
    const scratch = await realpath(await mkdtemp(join(tmpdir(), "baton-scratch-")));
    onTestFinished(() => rm(scratch, { recursive: true }));
    const data = `, data: {
      paths: [process.env.BATON_ENVELOPE, process.env.BATON_PROMPT, process.cwd()],
      mode: process.getBuiltinModule("node:fs").statSync(process.env.BATON_ENVELOPE.replace(/[^/]*$/, "")).mode & 0o777 }`;
    const hub = await hubWith([nodePack(answer(data), outside)], {
      commands: { scratch },
    });
    const [stage] = (await reaches(hub, await submit(hub), ...ended)).stages;
    const under = expect.stringContaining(join(scratch, "baton-run-"));
    expect(stage?.result?.response?.data).toEqual({ paths: [under, under, under], mode: 0o700 });
    await expect.poll(() => readdir(scratch)).toEqual([]);
  });

  it("[TRN-03] sees of the hub's environment what it was given, and no secret", async () => {
    process.env.TEST_SECRET_OF_HUB = "hidden";
    process.env.TEST_PASSED_ON = "shown";
    onTestFinished(() => {
      delete process.env.TEST_SECRET_OF_HUB;
      delete process.env.TEST_PASSED_ON;
    });
    const script = answer(", data: { ...process.env }");
    const hub = await hubWith([
      nodePack(script, { env: { OWN: "1" }, passEnv: ["TEST_PASSED_ON", "NOT_SET"] }),
    ]);
    const {
      stages: [stage],
    } = await reaches(hub, await submit(hub), ...ended);
    const env = stage?.result?.response?.data as Record<string, string>;
    expect(env).toMatchObject({
      OWN: "1",
      TEST_PASSED_ON: "shown",
      BATON_TASK_ID: "task-1",
      BATON_ATTEMPT: "1",
    });
    expect(env.TRACEPARENT).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(env).not.toHaveProperty("TEST_SECRET_OF_HUB");
    expect(env).not.toHaveProperty("NOT_SET");
  });

  it("[TRN-03] [TUR-06] what it prints is shown line by line, with its secrets masked", async () => {
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const script = `
      process.stdout.write("one\\nthe token is ${secret.slice(0, 20)}");
      await new Promise((resolve) => setTimeout(resolve, 50));
      process.stdout.write("${secret.slice(20)} so\\n");
      console.error("to stderr");
      ${answer()}`;
    const hub = await hubWith([nodePack(script)]);
    const events = await eventsOf(hub, await submit(hub));
    const lines = events.flatMap((one) => (one.case === "sandboxPulse" ? [one.value.line] : []));
    expect(lines).toContain("one");
    expect(lines).toContain("to stderr");
    expect(lines.find((line) => line.startsWith("the token is"))).toMatch(/^the token is \[\S+\] so$/);
    expect(JSON.stringify(lines)).not.toContain(secret.slice(4));
  });

  it("[TRN-03] [DIS-14] an unreadable answer is an invalid result, and its output is kept", async () => {
    const script = `console.log("I am done, I think. Nothing to show.");`;
    const hub = await hubWith([nodePack(script)]);
    const id = await submit(hub, { plan: once() });
    const events = await eventsOf(hub, id);
    const refused = (await auditOf(hub, id)).find(({ action }) => action === "refused a result");
    expect(refused?.rationale).toContain("there is no answer in its output");
    expect(refused?.snapshot?.snapshotPayload.value).toMatchObject({
      rawText: "I am done, I think. Nothing to show.\n",
    });
    const lines = events.flatMap((one) => (one.case === "sandboxPulse" ? [one.value.line] : []));
    expect(lines).toEqual(["I am done, I think. Nothing to show."]);
  });

  it("[TRN-03] [DIS-17] a non-zero exit loses the attempt with the reason, and degrades the instance", async () => {
    const hub = await hubWith([nodePack(`console.error("no disk left"); process.exit(3);`)]);
    const id = await submit(hub, { plan: once() });
    await reaches(hub, id, PipelineStatus.FAILED, PipelineStatus.PAUSED);
    const entries = await auditOf(hub, id);
    expect(entries.map(({ rationale }) => rationale).join("\n")).toContain("exit code 3: no disk left");
    const [agent] = await agentsOf(hub);
    expect(agent?.heartbeat?.health?.status).toBe(HealthStatus.DEGRADED);
  });

  it("[TRN-03] [DIS-17] [DIS-13] a timeout ends it, is tried again, and degrades the instance", async () => {
    const script = `if (process.env.BATON_ATTEMPT === "1") setInterval(() => {}, 1000); else { ${answer()} }`;
    const hub = await hubWith([nodePack(script)]);
    const retry = { maxAttempts: 2, initialBackoff: durationFromMs(1), maxBackoff: durationFromMs(1) };
    const plan = planOf(stages({ work: { timeout: durationFromMs(6_000), handoffPolicy: { retry } } }));
    const {
      stages: [stage],
    } = await reaches(hub, await submit(hub, { plan }), ...ended, PipelineStatus.PAUSED);
    expect(stage).toMatchObject({ attemptNumber: 2, result: { status: { outcome: Outcome.SUCCESS } } });
    const [agent] = await agentsOf(hub);
    expect(agent?.heartbeat?.health?.status).toBe(HealthStatus.DEGRADED);
  });

  it("[TRN-03] the pack's own limit of time holds besides the task's", async () => {
    const hub = await hubWith([nodePack("setInterval(() => {}, 1000);", { timeoutMs: 200 })]);
    const id = await submit(hub, { plan: once() });
    await reaches(hub, id, PipelineStatus.FAILED, PipelineStatus.PAUSED);
    const entries = await auditOf(hub, id);
    expect(entries.map(({ rationale }) => rationale).join("\n")).toContain(
      "longer than the 0.2 s of its pack",
    );
  });

  it("[TRN-03] is healthy again after two good attempts", async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-health-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const script = `
      import { existsSync, writeFileSync } from "node:fs";
      const isFirst = !existsSync(process.env.SEEN);
      writeFileSync(process.env.SEEN, "");
      if (isFirst) process.exit(1);
      ${answer()}`;
    const hub = await hubWith([nodePack(script, { ...outside, env: { SEEN: join(folder, "seen") } })]);
    await reaches(hub, await submit(hub), ...ended);
    const health = async () => (await agentsOf(hub))[0]?.heartbeat?.health?.status;
    expect(await health()).toBe(HealthStatus.DEGRADED);
    await reaches(hub, await submit(hub, { idempotencyKey: "key-2" }), ...ended);
    expect(await health()).toBe(HealthStatus.HEALTHY);
  });

  it("[TRN-03] [DIS-17] a missing program makes it unhealthy, and is reported", async () => {
    const hub = await hubWith([packOf({ run: ["no-such-program-of-baton"] })]);
    const [agent] = await agentsOf(hub);
    expect(agent?.heartbeat?.health?.status).toBe(HealthStatus.UNHEALTHY);
  });

  it("[TRN-03] an invalid call is reported at the start", async () => {
    const hub = await hubWith([packOf({ run: ["./not-in-the-folder"] })]);
    const id = await submit(hub, { plan: once() });
    await reaches(hub, id, PipelineStatus.FAILED, PipelineStatus.PAUSED);
    const entries = await auditOf(hub, id);
    const rationales = entries.map(({ rationale }) => rationale).join("\n");
    expect(rationales).toContain('there is no program "./not-in-the-folder"');
  });

  it("[TRN-03] a line without end does not fill the hub", async () => {
    const script = `for (let i = 0; i < 200; i++) process.stdout.write("x".repeat(100_000));`;
    const hub = await hubWith([nodePack(script)], { commands: { limits: { lineBytes: 1_000_000 } } });
    const id = await submit(hub, { plan: once() });
    await reaches(hub, id, PipelineStatus.FAILED, PipelineStatus.PAUSED);
    const entries = await auditOf(hub, id);
    expect(entries.map(({ rationale }) => rationale).join("\n")).toContain(
      "a line of more than 1000000 bytes",
    );
  });

  it("[TRN-03] [PIP-03] branches that could run side by side run one after another", async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-serial-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const script = `
      import { existsSync, rmSync, writeFileSync } from "node:fs";
      const lock = process.env.LOCK;
      const alone = !existsSync(lock);
      writeFileSync(lock, "");
      await new Promise((resolve) => setTimeout(resolve, 200));
      rmSync(lock);
      ${answer(", data: { alone }")}`;
    const hub = await hubWith([nodePack(script, { ...outside, env: { LOCK: join(folder, "lock") } })]);
    const dependsOnStages = ["begin"];
    const plan = planOf(
      stages({
        begin: {},
        left: { dependsOnStages },
        right: { dependsOnStages },
        join: { dependsOnStages: ["left", "right"] },
      }),
    );
    const { status, stages: done } = await reaches(hub, await submit(hub, { plan }), ...ended);
    expect(status).toBe(PipelineStatus.COMPLETED);
    expect(done.map(({ result }) => result?.response?.data)).toEqual(Array(4).fill({ alone: true }));
  });

  it("[TRN-03] [DIS-04] a pack that changes lets the attempt under way end as it began", async () => {
    const folder = await mkdtemp(join(tmpdir(), "baton-change-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const go = join(folder, "go");
    const script = `
      import { existsSync, writeFileSync } from "node:fs";
      writeFileSync(${JSON.stringify(join(folder, "begun"))} + process.env.BATON_ATTEMPT, "");
      while (!existsSync(${JSON.stringify(go)})) await new Promise((resolve) => setTimeout(resolve, 20));
      ${answer(', data: { who: "old" }')}`;
    const hub = await hubWith([nodePack(script, outside)]);
    const old = await submit(hub);
    await expect.poll(() => readdir(folder), { timeout: 60_000 }).toEqual(["begun1"]);
    await hub.setCommands([nodePack(answer(', data: { who: "new" }'))]);
    const next = await submit(hub, { idempotencyKey: "key-2" });
    await writeFile(go, "");
    const who = async (id: string) => {
      const [stage] = (await reaches(hub, id, ...ended)).stages;
      return [stage?.attemptNumber, stage?.result?.response?.data];
    };
    expect(await who(old)).toEqual([1, { who: "old" }]);
    expect(await who(next)).toEqual([1, { who: "new" }]);
  });

  it("[TRN-03] commands come and go while the hub runs", async () => {
    const hub = await hubWith([nodePack(answer())]);
    const other = packOf({ run: [process.execPath, "--version"] }, manifestOf("other", ["other"]));
    await hub.setCommands([other]);
    const live = (await agentsOf(hub)).filter(({ leaseExpiresAt, heartbeat }) => leaseExpiresAt && heartbeat);
    const names = live.map(({ heartbeat }) => heartbeat?.packId);
    expect(names).toContain("other");
    await hub.setCommands([nodePack(answer())]);
    const { status } = await reaches(hub, await submit(hub), ...ended);
    expect(status).toBe(PipelineStatus.COMPLETED);
  });
});
