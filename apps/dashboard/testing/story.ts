import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Pipeline, PipelineStatus, RiskTier } from "@baton/contract";
import type { HubProcess } from "./hub.ts";

const example = resolve(import.meta.dirname, "../../../examples/implement-and-review");

/** The arguments of a hub for the example. */
export const storyArguments = ["--pipeline-templates", join(example, "pipeline-templates.yaml")];

/** The agents of the example, as processes. */
export class StoryAgents {
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  static async start(hub: HubProcess): Promise<StoryAgents> {
    const children = ["developer", "reviewer", "verifier"].map((name) =>
      spawn(process.execPath, [join(example, `${name}.ts`)], {
        cwd: hub.folder,
        env: { ...process.env, BATON_HUB: hub.grpc, BATON_API_KEY: "" },
        stdio: ["ignore", "ignore", "inherit"],
      }),
    );
    const { registry } = hub.clients();
    for (;;) {
      const ended = children.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
      if (ended) throw new Error(`an agent ended with ${ended.exitCode ?? ended.signalCode}`);
      const { agents } = await registry.listAgents({ filter: "attached = true" });
      const packs = new Set(agents.map(({ manifest }) => manifest?.packId));
      if (["senior-ts-dev", "code-reviewer", "qa-engineer"].every((pack) => packs.has(pack))) break;
      await new Promise((resolve_) => setTimeout(resolve_, 50));
    }
    return new StoryAgents(children);
  }

  async end(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null) return;
        child.kill("SIGKILL");
        await once(child, "exit");
      }),
    );
  }
}

/** Creates a repository with the project of the example. */
export function makeRepository(hub: HubProcess): string {
  const path = mkdtempSync(join(hub.folder, "work", "project-"));
  cpSync(join(example, "project"), path, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", path, "-c", "user.name=t", "-c", "user.email=t@t", ...args]);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  return path;
}

/** Submits the task of the example, which is rejected once and then completes. */
export async function submitStory(hub: HubProcess, key: string, title: string): Promise<string> {
  const { pipeline } = await hub.clients().orchestrator.submitTask({
    idempotencyKey: key,
    plan: { case: "templateId", value: "implement-and-review" },
    riskTier: RiskTier.LOW,
    contract: {
      taskId: key,
      title,
      acceptanceCriteria: [
        "Words are joined by dashes, in lower case",
        "Letters with accents keep their letter",
      ],
      expectedFiles: { modify: ["slug.js"] },
      environment: { testCommand: "node --test" },
    },
    refs: [{ uriOrLocator: "slug.js" }],
    workspace: { repository: makeRepository(hub) },
  });
  return pipeline?.pipelineId ?? "";
}

export async function untilEnded(hub: HubProcess, pipelineId: string): Promise<Pipeline> {
  const { orchestrator } = hub.clients();
  for (let look = 0; ; look++) {
    const { pipeline } = await orchestrator.getPipeline({ pipelineId });
    if (pipeline && pipeline.status > PipelineStatus.PAUSED) return pipeline;
    if (look > 600)
      throw new Error(`it does not end: ${pipeline?.stages.map(({ waitingFor }) => waitingFor).join("; ")}`);
    await new Promise((resolve_) => setTimeout(resolve_, 100));
  }
}
