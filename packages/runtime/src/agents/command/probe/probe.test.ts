/** Commands that cannot work: found before work is sent to them, or by the first attempt, and never retried. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FailureStrategy, HealthStatus, ListEscalationsRequestSchema, PipelineStatus } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { ada, planOf, read, submit, VirtualClock } from "../../../../testing/index.ts";
import type { ConfigurableHub } from "../../../compose/create-hub.ts";
import { agentsOf, auditOf, hubWith, reaches } from "../testing/command-hub.ts";
import { packOf } from "../testing/packs.ts";
import { probeTimes } from "./prober.ts";

const answer = JSON.stringify({ status: "success", summary: "Wrote it" });

/** A folder with a program in it, which notes every start. */
async function programs(name: string, script: string) {
  const folder = await mkdtemp(join(tmpdir(), "baton-probe-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  await mkdir(home);
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}`);
  await chmod(path, 0o755);
  return { folder, home, path, env: { PATH: `${folder}:${process.env.PATH}`, HOME: home } };
}

async function health(hub: ConfigurableHub) {
  const [agent] = await agentsOf(hub);
  const { status, reason } = agent?.heartbeat?.health ?? {};
  return { status, reason };
}

async function attemptsOf(hub: ConfigurableHub, pipelineId: string): Promise<readonly string[]> {
  const entries = await auditOf(hub, pipelineId);
  return [...new Set(entries.map(({ dispatchId }) => dispatchId))].filter((id) => id !== "");
}

const off = { sandbox: "off" } as const;

describe("a command that is not signed in", () => {
  it("[TRN-03] is found by a probe and gets no work; once it is signed in, it does what waited", async () => {
    const script = `case "$1" in
      --version) echo 1.0.0;;
      auth) if [ -e "$HOME/login" ]; then echo '{"loggedIn": true}'; else echo '{"loggedIn": false}'; exit 1; fi;;
      *) echo started >> "$HOME/starts"; echo '${JSON.stringify({ type: "result", subtype: "success", result: answer })}';;
    esac`;
    const { home, env } = await programs("claude", script);
    const clock = new VirtualClock();
    const hub = await hubWith([packOf({ preset: "claude-code", env, ...off })], { clock });
    expect(await health(hub)).toEqual({
      status: HealthStatus.UNHEALTHY,
      reason: expect.stringMatching(/claude is not signed in; run "claude auth login"/),
    });
    expect(hub.commandWarnings().join()).toContain("not signed in or broken");
    const pipelineId = await submit(hub);
    await reaches(hub, pipelineId, PipelineStatus.RUNNING);
    const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema));
    expect(escalations[0]?.snapshot?.recommended).toContain("claude auth login");
    expect(await attemptsOf(hub, pipelineId)).toEqual([]);
    await writeFile(join(home, "login"), "");
    await clock.pass(probeTimes.firstMs);
    await expect.poll(() => health(hub), { timeout: 60_000 }).toMatchObject({ status: HealthStatus.HEALTHY });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect(await readFile(join(home, "starts"), "utf8")).toBe("started\n");
  });

  it("[TRN-03] and whose probe cannot detect it fails its first attempt with the fix, and is not retried", async () => {
    const fault = {
      type: "result",
      subtype: "success",
      is_error: true,
      result: "Invalid API key · Please run /login",
    };
    const script = `[ "$1" = --version ] && exit 0
      echo started >> "$HOME/starts"; echo '${JSON.stringify(fault)}'; exit 1`;
    const { home, env } = await programs("claude", script);
    const key = { ANTHROPIC_API_KEY: "none" };
    const hub = await hubWith([packOf({ preset: "claude-code", env: { ...env, ...key }, ...off })]);
    expect(await health(hub)).toMatchObject({ status: HealthStatus.HEALTHY });
    const pipelineId = await submit(hub);
    const { stages } = await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    expect(stages[0]?.waitingFor).toMatch(/Please run \/login; run "claude auth login"/);
    expect(await readFile(join(home, "starts"), "utf8")).toBe("started\n");
    expect(await health(hub)).toMatchObject({ status: HealthStatus.UNHEALTHY });
  });
});

describe("a command that does not find what it needs", () => {
  it("[TRN-03] is not tried again", async () => {
    const script = 'echo started >> "$HOME/starts"; echo "sh: 1: my-model: command not found" >&2; exit 127';
    const { home, path, env } = await programs("agent", script);
    const hub = await hubWith([packOf({ run: [path], env, ...off })]);
    const pipelineId = await submit(hub);
    const { stages } = await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    expect(stages[0]?.waitingFor).toContain("my-model: command not found; install it");
    expect(await readFile(join(home, "starts"), "utf8")).toBe("started\n");
  });
});

it("[TRN-03] the reason of a run that fails does not say to resume it", async () => {
  const { path, env } = await programs("agent", 'echo "not logged in" >&2; exit 1');
  const hub = await hubWith([packOf({ run: [path], env, ...off })]);
  const plan = planOf(stages({ a: {} }), { failureStrategy: FailureStrategy.FAIL_FAST });
  const { statusReason } = await reaches(hub, await submit(hub, { plan }), PipelineStatus.FAILED);
  expect(statusReason).toContain("is not signed in: not logged in; sign it in as the user of the hub");
  expect(statusReason).not.toContain("resume");
});

describe("a probe of a pack", () => {
  it("[TRN-03] keeps work away while it fails, and its last line is the reason", async () => {
    const script = `[ "$1" = check ] || { echo '${answer}'; exit 0; }
      [ -e "$HOME/ready" ] || { echo "the licence server is away"; exit 3; }`;
    const { home, path, env } = await programs("agent", script);
    const clock = new VirtualClock();
    const hub = await hubWith([packOf({ run: [path], probe: [path, "check"], env, ...off })], { clock });
    expect(await health(hub)).toEqual({
      status: HealthStatus.UNHEALTHY,
      reason: `\`${path} check\` ended with exit code 3: the licence server is away`,
    });
    await writeFile(join(home, "ready"), "");
    await clock.pass(probeTimes.firstMs);
    await expect.poll(() => health(hub), { timeout: 60_000 }).toMatchObject({ status: HealthStatus.HEALTHY });
    const pipelineId = await submit(hub);
    // What it prints is stored after a moment, which has to pass.
    const status = async () => {
      await clock.pass(100);
      return (await read(hub, pipelineId)).status;
    };
    await expect.poll(status, { timeout: 60_000 }).toBe(PipelineStatus.COMPLETED);
  });

  it("[TRN-03] runs in the sandbox of the agent", async () => {
    const script = `[ "$1" = check ] || { echo '${answer}'; exit 0; }
      if [ -e "$SECRET" ]; then echo "it reads what is not its own"; exit 1; fi`;
    const { folder, path, env } = await programs("agent", script);
    const secret = join((await programs("other", "")).folder, "secret");
    await writeFile(secret, "secret");
    const hub = await hubWith([
      packOf({ run: [path], probe: [path, "check"], readable: [folder], env: { ...env, SECRET: secret } }),
    ]);
    expect(await health(hub)).toEqual({ status: HealthStatus.HEALTHY, reason: "" });
  });
});
