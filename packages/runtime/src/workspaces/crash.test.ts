import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PipelineStatus } from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, Lives, planOf, reaches, settles, submit, TestAgent } from "../../testing/index.ts";
import type { Point } from "../engine/engine.ts";
import { openMemoryStore } from "../stores/index.ts";
import { gitWorkspaces } from "./git-workspaces.ts";
import { branches, gitIn, repository, scratch, write } from "./testing/repositories.ts";

const contract = { taskId: "t", title: "Add up", acceptanceCriteria: ["it adds up"] };

describe("a hub that loses power while it prepares workspaces", () => {
  it("[PIP-11] between preparing and sending: after the restart it sends with the same workspace", async () => {
    const shop = repository();
    const folder = join(scratch(), "workspaces");
    const lives = new Lives(openMemoryStore(), { onProblem: () => {} });
    let published = () => {};
    const made = new Promise<void>((resolve) => {
      published = resolve;
    });
    const real = gitWorkspaces({ folder });
    /** Prepares the workspace; the power fails before anything is published. */
    const { prepare } = real;
    real.prepare = async (job, signal) => {
      await prepare.call(real, job, signal);
      published();
      return new Promise<never>(() => {});
    };
    const first = await lives.begin({ workspaces: real });
    new TestAgent(first.hub, { packId: "dev" });
    const pipelineId = await submit(first.hub, { workspace: { repository: shop }, contract });
    await settles(made, "the workspace");
    first.kill();
    const head = gitIn(shop, "rev-parse", "HEAD");
    write(shop, { "total.js": "moved on\n" });
    gitIn(shop, "commit", "-qam", "moved on");
    const { hub } = await lives.begin({ workspaces: gitWorkspaces({ folder }) });
    onTestFinished(() => hub.drain(0));
    const dev = new TestAgent(hub, {
      packId: "dev",
      answer: ({ workspace }) => {
        write(workspace?.path ?? "", { "done.js": "done\n" });
        return {};
      },
    });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    expect((await dev.envelope()).workspace?.baseCommit).toBe(head);
    expect(branches(shop)).toEqual([`baton/${pipelineId}/code/1`]);
  });

  it("[PIP-11] while git writes: a git process that outlives it does not interfere", async () => {
    const shop = repository();
    const folder = join(scratch(), "workspaces");
    const lives = new Lives(openMemoryStore(), { onProblem: () => {} });
    const pipelineId = await withGitThatWritesOn(async () => {
      const first = await lives.begin({ workspaces: gitWorkspaces({ folder }) });
      new TestAgent(first.hub, { packId: "dev" });
      const id = await submit(first.hub, { workspace: { repository: shop }, contract });
      await eventually("somebody who writes", () => globSync("**/d100", { cwd: folder }).length > 0);
      first.kill();
      return id;
    });
    const { hub } = await lives.begin({ workspaces: gitWorkspaces({ folder }) });
    onTestFinished(() => hub.drain(0));
    const dev = new TestAgent(hub, { packId: "dev" });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const workspace = (await dev.envelope()).workspace?.path ?? "";
    expect(readdirSync(workspace).toSorted()).toEqual([".git", "src", "total.js"]);
  });

  it.each<Point>(["committed", "before command", "after command"])(
    "[PIP-11] at %s, again and again: every stage has one commit, and no workspace is left",
    async (point) => {
      const shop = repository();
      const folder = join(scratch(), "workspaces");
      const lives = new Lives(openMemoryStore(), { onProblem: () => {} });
      const parts = () => ({ workspaces: gitWorkspaces({ folder, keep: "never" }) });
      const answer: NonNullable<ConstructorParameters<typeof TestAgent>[1]["answer"]> = (envelope) => {
        const stage = envelope.execution?.dispatchId.split("/")[1] ?? "";
        write(envelope.workspace?.path ?? "", { [`${stage}.js`]: `${stage}\n` });
        return {};
      };
      const plan = planOf(stages({ one: {}, two: {} }));
      let life = await lives.beginAndDieAt(point, 8, parts());
      let agent = new TestAgent(life.hub, { packId: "dev", answer });
      const pipelineId = await submit(life.hub, { workspace: { repository: shop }, contract, plan });
      for (const after of [3, 5]) {
        const over = Promise.race([life.dead, reaches(life.hub, pipelineId, PipelineStatus.COMPLETED)]);
        await settles(over, "the end of a life").catch(() => {});
        life.kill();
        life = await lives.beginAndDieAt(point, after, parts());
        agent = agent.moveTo(life.hub);
      }
      life.kill();
      const { hub } = await lives.begin(parts());
      onTestFinished(() => hub.drain(0));
      agent.moveTo(hub);
      const pipeline = await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
      const commit = pipeline.stages.at(-1)?.commit ?? "";
      expect(gitIn(shop, "ls-tree", "--name-only", commit).split("\n")).toEqual([
        "one.js",
        "src",
        "total.js",
        "two.js",
      ]);
      await eventually("no workspace", () => !existsSync(join(folder, "places", pipelineId)));
      expect(gitIn(shop, "status", "--porcelain")).toBe("");
    },
  );
});

/** A git whose `reset` leaves a process that writes to the folder for a while. */
async function withGitThatWritesOn<Value>(work: () => Promise<Value>): Promise<Value> {
  const bin = scratch();
  const path = process.env.PATH ?? "";
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const fill = "i=0; while [ $i -lt 20000 ] && mkdir d$i && : > d$i/f; do i=$((i+1)); done";
  const script = [
    "#!/bin/sh",
    `"${real}" "$@" || exit`,
    `case "$*" in *reset*) setsid sh -c '${fill}' < /dev/null > /dev/null 2>&1 & sleep 60;; esac`,
  ];
  writeFileSync(join(bin, "git"), `${script.join("\n")}\n`, { mode: 0o755 });
  process.env.PATH = `${bin}:${path}`;
  return work().finally(() => {
    process.env.PATH = path;
  });
}
