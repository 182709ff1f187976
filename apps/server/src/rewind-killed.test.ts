import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InspectionService, OrchestratorService, PipelineStatus, RiskTier } from "@baton/contract";
import { firstLine } from "@baton/runtime/testing";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, it, onTestFinished } from "vitest";
import { asOperator, newFolder, program } from "../testing/program.ts";

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, ...identity, ...args], { encoding: "utf8" }).trimEnd();

/** The real program, with a git that can be made to hang where branches are set. */
async function startHub(folder: string) {
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
  const args = ["--packs", "packs", "--log-level", "warn", "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ready = JSON.parse(await firstLine(child));
  const interceptors = asOperator(ready);
  const transport = createConnectTransport({ baseUrl: ready.http, httpVersion: "1.1", interceptors });
  return {
    orchestrator: createClient(OrchestratorService, transport),
    inspection: createClient(InspectionService, transport),
    async kill() {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

type Hub = Awaited<ReturnType<typeof startHub>>;

async function until<Value>(look: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
}

const completed = ({ orchestrator }: Hub, pipelineId: string) =>
  until(async () => {
    const { pipeline } = await orchestrator.getPipeline({ pipelineId });
    return pipeline?.status === PipelineStatus.COMPLETED ? pipeline : undefined;
  });

it("[TUR-08] [PIP-11] a hub that is killed while git sets the branches of a rewind sets them when it is back", async () => {
  const folder = newFolder();
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const [hangs, hung] = [join(folder, "hangs"), join(folder, "hung")];
  write(folder, {
    "bin/git": `#!/bin/sh\ncase "$*" in *"update-ref --stdin"*) if [ -e "${hangs}" ]; then echo $$ > "${hung}"; exec sleep 600; fi;; esac\nexec ${real} "$@"\n`,
    "packs/writer/profession-pack.yaml": `profession_pack:
  pack_id: writer
  pack_version: "1.0.0"
  supported_task_types: [write]
  command: { run: ["node", "{pack}/write.mjs"], timeout: 60s }
`,
    "packs/writer/write.mjs": `import { readFileSync, writeFileSync } from "node:fs";
const { execution } = JSON.parse(readFileSync(0, "utf8"));
const [, stage] = execution.dispatchId.split("/");
writeFileSync(stage + ".txt", execution.dispatchId);
console.log(JSON.stringify({ status: "success", summary: "wrote it" }));
`,
    "shop/README.md": "a shop\n",
  });
  chmodSync(join(folder, "bin/git"), 0o755);
  const shop = join(folder, "shop");
  git(shop, "init", "-q", "-b", "main");
  git(shop, "add", ".");
  git(shop, "commit", "-qm", "begin");

  const first = await startHub(folder);
  const stage = (stageId: string, ...dependsOnStages: string[]) => ({
    ...{ stageId, taskType: "write", config: { required: true, dependsOnStages } },
  });
  const { pipeline: taken } = await first.orchestrator.submitTask({
    idempotencyKey: "book",
    plan: { case: "pipeline", value: { stages: [stage("outline"), stage("chapter", "outline")] } },
    contract: { taskId: "book", title: "Write a book", acceptanceCriteria: ["it reads well"] },
    riskTier: RiskTier.LOW,
    workspace: { repository: shop },
  });
  const pipelineId = taken?.pipelineId ?? "";
  const before = await completed(first, pipelineId);
  const transitions = await first.inspection.getTransitions({ pipelineId, stageId: "outline" });
  const toRevision = transitions.transitions.at(-1)?.revision ?? 0n;

  writeFileSync(hangs, "");
  const asked = first.orchestrator.rewindPipeline({ pipelineId, toRevision, reason: "a dull chapter" });
  asked.catch(() => {}); // Its hub dies.
  const pid = await until(() => (existsSync(hung) && Number(readFileSync(hung, "utf8"))) || undefined);
  await first.kill();
  process.kill(pid, "SIGKILL");
  const branches = () =>
    git(shop, "for-each-ref", "--format=%(refname:lstrip=-2)", `refs/heads/baton/${pipelineId}`).split("\n");
  expect(branches()).toEqual(["chapter/1", "outline/1"]);

  rmSync(hangs);
  const second = await startHub(folder);
  const after = await completed(second, pipelineId);
  expect(after.stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2]);
  expect(after.stages[0]?.commit).toBe(before.stages[0]?.commit);
  await until(() => (branches().includes("chapter/1") ? undefined : true));
  expect(branches()).toEqual(["chapter/2", "outline/1"]);
  const kept = `refs/baton/abandoned/${pipelineId}/${before.revision}/chapter/1`;
  expect(git(shop, "rev-parse", kept)).toBe(before.stages[1]?.commit);
  expect(git(shop, "status", "--porcelain")).toBe("");
  await second.kill();
});
