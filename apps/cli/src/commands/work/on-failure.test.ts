import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Packs, startHubWith } from "../../../testing/project.ts";
import type { RealHub } from "../../../testing/real-hub.ts";
import { runBaton, startOnTerminal } from "../../../testing/run-baton.ts";

const packs: Packs = {
  broken: `console.log(JSON.stringify({ status: "failure", summary: "the build is red" }));`,
};

describe("baton run --on-failure", () => {
  const atEnd: (() => void | Promise<void>)[] = [];
  let hub: RealHub;
  beforeAll(async () => {
    hub = await startHubWith(packs, (work) => void atEnd.push(work));
  });
  afterAll(async () => {
    for (const work of atEnd) await work();
  });
  const task = ["run", "--task-type", "broken", "--title", "Build it", "--accept", "it is green"];

  it("[PIP-09] ends a single task that fails where nobody looks, and gives the exit code of a failure", async () => {
    const { code, stdout } = await runBaton([...task, "--wait"], { hub: hub.address });
    expect([code, stdout]).toEqual([7, expect.stringContaining("the build is red")]);
    const piped = await runBaton(task, { hub: hub.address });
    const watched = await runBaton(["runs", "watch", piped.stdout.trim()], { hub: hub.address });
    expect(watched.code).toBe(7);
  });

  it("[PIP-09] pauses it where that is asked for, or where somebody looks", async () => {
    const asked = await runBaton([...task, "--wait", "--on-failure", "pause"], { hub: hub.address });
    expect(asked.code).toBe(8);
    const onTerminal = startOnTerminal(task, { hub: hub.address });
    expect((await onTerminal.ended).code).toBe(8);
    const ended = startOnTerminal([...task, "--on-failure", "fail"], { hub: hub.address });
    expect((await ended.ended).code).toBe(7);
  });

  it("refuses another word, and names the two", async () => {
    const { code, stderr } = await runBaton([...task, "--on-failure", "ignore"], { hub: hub.address });
    expect(code).toBe(2);
    expect(stderr).toContain("fail, pause");
  });
});
