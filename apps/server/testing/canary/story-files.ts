import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestsIn } from "./dump-store.ts";
import { ignoredPrefix } from "./leave-work.ts";
import type { Seeds } from "./scene.ts";
import type { StoryFiles } from "./story.ts";

/** Packs of which each is a command, and the type of its tasks. */
export const commandPacks = ["speaker", "mumbler"] as const;

/** A folder under git whose files, names of files and programs are full of canaries. */
export function makeStoryFiles(folder: string, seeds: Seeds): StoryFiles {
  const { planter } = seeds;
  writePolicy(folder, seeds);
  for (const name of commandPacks) writePack(folder, name, seeds);
  const workspace = join(folder, "workspace");
  mkdirSync(workspace, { recursive: true });
  const output = Array.from({ length: 8 }, () => planter.text("the output of a command")).join("\n");
  const print = (code: number) =>
    `process.stdout.write(${JSON.stringify(output)}); process.stderr.write(${JSON.stringify(planter.text("standard error"))}); process.exitCode = ${code};\n`;
  planter.writeFile(join(workspace, "print.cjs"), print(0));
  planter.writeFile(join(workspace, "fail.cjs"), print(1));
  planter.writeFile(join(workspace, ".env"), planter.text("a file"));
  planter.writeFile(join(workspace, ".gitignore"), `${ignoredPrefix}*\n`);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada", ...args], {
      cwd: workspace,
      stdio: "pipe",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", planter.text("a commit"));
  planter.writeFile(join(workspace, `${planter.name("the name of a file")}.txt`), "new");
  const own = digestsIn(join(workspace, ".git"));
  return { workspace, own, printing: "node print.cjs", failing: "node fail.cjs" };
}

/** Every agent may take the tasks, and may fail at them as often as it likes. */
function writePolicy(folder: string, { taskType, packs, planter }: Seeds): void {
  const route = { task_type: taskType, allowed_pack_ids: packs, fallback_pack_id: null };
  const commands = commandPacks.map((name) => ({ ...route, task_type: name, allowed_pack_ids: [name] }));
  const breaker = { error_threshold: 10_000, window: "60s", half_open_after: "60s" };
  const policy = {
    version: planter.word("the version of a policy"),
    routes: [route, ...commands],
    admission: { max_global_queue_depth: 100, max_per_pack_concurrent: 50, circuit_breaker: breaker },
    defaults: { fallback_pack_id: null, max_candidate_agents: 5, require_healthy: false },
  };
  mkdirSync(join(folder, "config"), { recursive: true });
  writeFileSync(
    join(folder, "config", "routing-policy.yaml"),
    `# ${planter.word("a comment")}\n${JSON.stringify({ routing_policy: policy })}\n`,
  );
}

/** A specialist that is a command: one answers, the other only talks. */
function writePack(folder: string, name: string, { planter, tool }: Seeds): void {
  const pack = {
    ...{ pack_id: name, pack_version: "1.0.0", supported_task_types: [name], provided_tools: [tool] },
    description: planter.text("the description of a pack"),
    command: { run: ["node", `{pack}/${name}.mjs`], timeout: "30s" },
  };
  const path = join(folder, "packs", name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "profession-pack.yaml"), JSON.stringify({ profession_pack: pack }));
  const answer = { status: "success", summary: planter.text("a summary"), data: planter.json("data") };
  const output = `process.stdin.resume(); console.log(${JSON.stringify(planter.text("what a command says"))});
console.error(${JSON.stringify(planter.text("standard error of a command"))});
${name === "speaker" ? `console.log(${JSON.stringify(JSON.stringify(answer))});` : "process.exitCode = 3;"}
process.stdin.on("end", () => process.exit());
`;
  writeFileSync(join(path, `${name}.mjs`), output);
}

/** Changes the policy into one that cannot be used, and quotes nothing less than canaries. */
export function breakPolicy(folder: string, { planter }: Seeds): void {
  const [key, version] = [planter.word("a key"), planter.word("a version")];
  const policy = `routing_policy:\n  ${JSON.stringify(key)}: 1\n  version: [${JSON.stringify(version)}]\n`;
  writeFileSync(join(folder, "config", "routing-policy.yaml"), policy);
}
