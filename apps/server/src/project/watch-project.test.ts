import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newFolder } from "../../testing/program.ts";
import { defaultPaths } from "./paths.ts";
import type { Project } from "./read-project.ts";
import { takeSnapshot } from "./snapshot.ts";
import { watchProject } from "./watch-project.ts";

const route = (type: string) => `    - { task_type: ${type}, allowed_pack_ids: [dev] }\n`;
const head = 'routing_policy:\n  version: "1"\n  routes:\n';

/** A project that is polled often, and what its changes led to, in order. */
function watched(apply: (project: Project) => Promise<readonly []> = async () => []) {
  const folder = newFolder();
  mkdirSync(join(folder, "config"));
  const path = join(folder, "config/routing-policy.yaml");
  writeFileSync(path, head + route("code"));
  const paths = defaultPaths(folder);
  const outcomes: string[] = [];
  const watch = watchProject({
    ...{ paths, digest: takeSnapshot(paths).digest, intervalMs: 50 },
    apply: async (project) => {
      const problems = await apply(project);
      outcomes.push(`routes: ${[...(project.policy?.routes.keys() ?? [])].join()}`);
      return problems;
    },
    refuse: (problems) => outcomes.push(`refused: ${problems.length}`),
    onError: (error) => outcomes.push(`failed: ${error}`),
  });
  onTestFinished(() => watch.stop());
  return { path, outcomes };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
async function outcomesReach(outcomes: readonly string[], count: number): Promise<void> {
  while (outcomes.length < count) await pause(5);
}

describe("watching the files of a project", () => {
  it("[DIS-04] does not read a file while it is being written", async () => {
    const { path, outcomes } = watched();
    writeFileSync(path, head);
    for (let count = 0; count < 20; count++) {
      appendFileSync(path, `    - { task_type: t${count}, `);
      await pause(5);
      appendFileSync(path, "allowed_pack_ids: [dev] }\n");
    }
    await outcomesReach(outcomes, 1);
    await pause(200);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toContain("t0,t1,t2");
  });

  it("[DIS-04] reports invalid content once, and again when it changes to other invalid content", async () => {
    const { path, outcomes } = watched();
    writeFileSync(path, head);
    await outcomesReach(outcomes, 1);
    await pause(200);
    writeFileSync(path, `${head}  - x\n`);
    await outcomesReach(outcomes, 2);
    writeFileSync(path, head + route("docs"));
    await outcomesReach(outcomes, 3);
    expect(outcomes).toEqual([
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
      "routes: docs",
    ]);
  });

  it("[DIS-04] ignores a file that was rewritten with the same content", async () => {
    const { path, outcomes } = watched();
    writeFileSync(path, head + route("code"));
    await pause(200);
    expect(outcomes).toEqual([]);
  });

  it("[DIS-04] retries when applying a valid file fails", async () => {
    let isDown = true;
    const { path, outcomes } = watched(async () => {
      if (isDown) throw new Error("the store is down");
      return [];
    });
    writeFileSync(path, head + route("docs"));
    await outcomesReach(outcomes, 1);
    expect(outcomes[0]).toBe("failed: Error: the store is down");
    isDown = false;
    while (!outcomes.includes("routes: docs")) await pause(5);
  });
});
