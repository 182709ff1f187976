import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newFolder } from "../../testing/program.ts";
import { defaultPaths } from "./places.ts";
import type { Project } from "./read-project.ts";
import { takeSnapshot } from "./snapshot.ts";
import { ProjectWatch } from "./watch-project.ts";

const route = (type: string) => `    - { task_type: ${type}, allowed_pack_ids: [dev] }\n`;
const head = 'routing_policy:\n  version: "1"\n  routes:\n';

/** A project that is watched closely; what comes of its changes, in order. */
function watched(apply: (project: Project) => Promise<readonly []> = async () => []) {
  const folder = newFolder();
  mkdirSync(join(folder, "config"));
  const path = join(folder, "config/routing-policy.yaml");
  writeFileSync(path, head + route("code"));
  const places = defaultPaths(folder);
  const heard: string[] = [];
  const watch = new ProjectWatch({
    ...{ places, digest: takeSnapshot(places).digest, intervalMs: 50 },
    apply: async (project) => {
      const problems = await apply(project);
      heard.push(`routes: ${[...(project.policy?.routes.keys() ?? [])].join()}`);
      return problems;
    },
    refuse: (problems) => heard.push(`refused: ${problems.length}`),
    fail: (error) => heard.push(`failed: ${error}`),
  });
  watch.start();
  onTestFinished(() => watch.stop());
  return { path, heard };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
async function hears(heard: readonly string[], count: number): Promise<void> {
  while (heard.length < count) await pause(5);
}

describe("watching the files of a project", () => {
  it("[DIS-04] leaves a file alone while it is being written, and does not complain of half of it", async () => {
    const { path, heard } = watched();
    writeFileSync(path, head);
    for (let count = 0; count < 20; count++) {
      appendFileSync(path, `    - { task_type: t${count}, `);
      await pause(5);
      appendFileSync(path, "allowed_pack_ids: [dev] }\n");
    }
    await hears(heard, 1);
    await pause(200);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toContain("t0,t1,t2");
  });

  it("[DIS-04] tells of bad content once, and again when it is other bad content", async () => {
    const { path, heard } = watched();
    writeFileSync(path, head);
    await hears(heard, 1);
    await pause(200);
    writeFileSync(path, `${head}  - x\n`);
    await hears(heard, 2);
    writeFileSync(path, head + route("docs"));
    await hears(heard, 3);
    expect(heard).toEqual([
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
      "routes: docs",
    ]);
  });

  it("[DIS-04] does nothing about a file that was only touched, or means what is in force again", async () => {
    const { path, heard } = watched();
    writeFileSync(path, head + route("code"));
    await pause(200);
    expect(heard).toEqual([]);
  });

  it("[DIS-04] tries again what could not be put in force for reasons that are not the file's", async () => {
    let isAway = true;
    const { path, heard } = watched(async () => {
      if (isAway) throw new Error("the store is away");
      return [];
    });
    writeFileSync(path, head + route("docs"));
    await hears(heard, 1);
    expect(heard[0]).toBe("failed: Error: the store is away");
    isAway = false;
    while (!heard.includes("routes: docs")) await pause(5);
  });
});
