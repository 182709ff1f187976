import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfigurableHub } from "@baton/runtime";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { hubDouble } from "../../testing/hub-double.ts";
import { newFolder } from "../../testing/program.ts";
import { keepCurrent } from "./keep-current.ts";
import { defaultPaths } from "./paths.ts";
import { emptyProject, readProject } from "./read-project.ts";
import { takeSnapshot } from "./snapshot.ts";

function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const policy = (version: string) =>
  `routing_policy:\n  version: "${version}"\n  routes:\n    - { task_type: code, allowed_pack_ids: [dev] }\n`;
const templates =
  'pipeline_templates:\n  version: "1"\n  templates:\n    - { template_id: letter, stages: [{ stage_id: s, task_type: code }] }\n';
const pack = (version: string) =>
  `profession_pack: { pack_id: dev, pack_version: "${version}", supported_task_types: [code], command: { run: [node, x.js] } }\n`;

/** A project that is polled often, and the calls that its hub received. */
function watched(setCommands: (versions: readonly string[]) => Promise<void> = async () => {}) {
  const folder = newFolder();
  write(folder, "config/routing-policy.yaml", policy("1"));
  write(folder, "config/pipeline-templates.yaml", templates);
  write(folder, "packs/dev/profession-pack.yaml", pack("1.0.0"));
  const paths = defaultPaths(folder);
  const snapshot = takeSnapshot(paths);
  const { project = emptyProject, findings: problems } = readProject(snapshot);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const calls: string[] = [];
  const hub = Object.assign(hubDouble(), {
    registerPacks: async () => [],
    recordEvent: async () => {},
    commandWarnings: () => [],
    webhookKeys: () => [],
    configure: ({ policy: next, templates: all }) =>
      calls.push(`policy ${next?.version}, ${all?.size} templates`),
    setCommands: async (packs) => {
      const versions = packs.map(({ manifest }) => manifest.packVersion);
      calls.push(`commands ${versions.join()}`);
      await setCommands(versions);
    },
  } satisfies Pick<
    ConfigurableHub,
    "configure" | "setCommands" | "registerPacks" | "recordEvent" | "commandWarnings" | "webhookKeys"
  >);
  const current = keepCurrent({
    ...{ hub, log: pino({ level: "silent" }), intervalMs: 20 },
    ...{ project, paths, digest: snapshot.digest, keys: [] },
  });
  onTestFinished(() => current.stop());
  return { folder, calls, current };
}

const polling = { timeout: 60_000, interval: 20 };

it.each([
  ["config/pipeline-templates.yaml", "the file of pipeline templates is gone"],
  ["packs", "the last of the packs is gone"],
])(
  "[DIS-04] when %s is removed, the configuration in force stays in force and the problem is reported",
  async (name, message) => {
    const { folder, calls, current } = watched();
    renameSync(join(folder, name), join(folder, "elsewhere"));
    await expect.poll(() => current.problems().map((one) => one.message), polling).toEqual([message]);
    expect(calls).toEqual([]);
    renameSync(join(folder, "elsewhere"), join(folder, name));
    await expect.poll(() => current.problems(), polling).toEqual([]);
  },
);

it("[DIS-04] when setting the commands fails, neither they nor the policy come into force; a later poll applies both", async () => {
  let isDown = true;
  const { folder, calls } = watched(async ([version]) => {
    if (version === "2.0.0" && isDown) throw new Error("the store is down");
  });
  write(folder, "config/routing-policy.yaml", policy("2"));
  write(folder, "packs/dev/profession-pack.yaml", pack("2.0.0"));
  await expect.poll(() => calls, polling).toContain("commands 1.0.0");
  expect(calls.filter((one) => one.startsWith("policy 2"))).toEqual([]);
  expect(calls.at(calls.indexOf("commands 1.0.0") - 1)).toBe("commands 2.0.0");
  isDown = false;
  await expect.poll(() => calls.at(-1), polling).toBe("policy 2, 1 templates");
  expect(calls.at(-2)).toBe("commands 2.0.0");
});
