import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FailureStrategy, RiskTier } from "@baton/contract";
import type { HubProcess } from "./hub.ts";
import type { startTeam } from "./team.ts";

/** Agents whose work needs a person. */
export const questioners: Parameters<typeof startTeam>[1] = [
  {
    pack: "release-engineer",
    version: "1.0.0",
    description: "Prepares and ships releases",
    taskTypes: ["prepare-release", "ship-release"],
    safetyTier: "critical",
    capacity: 4,
    async run(task) {
      const instructions = task.feedback?.instructions.join("; ") ?? "";
      task.turn({ confidence: 0.8, thought: `Shipping, ${instructions || "as the contract says"}.` });
      task.evidence({ check: "tests", passed: true, output: "218 passed" });
      task.risk("the migration cannot be undone after an hour");
      const [, name = ""] = (task.envelope.execution?.dispatchId ?? "").split("/");
      if (task.workspace) writeFileSync(join(task.workspace, `${name}.txt`), "4.2\n");
      return task.success(instructions === "" ? "version 4.2 is ready to go out" : `done: ${instructions}`);
    },
  },
  {
    pack: "designer",
    version: "1.0.0",
    description: "Designs pages",
    taskTypes: ["design"],
    capacity: 4,
    async run(task) {
      const [answer] = task.answers;
      if (answer === undefined) return task.ask("Should the button be round or square?");
      return task.success(`a ${answer.answer} button`);
    },
  },
  {
    pack: "overconfident-dev",
    version: "1.0.0",
    description: "Says that everything works",
    taskTypes: ["fix"],
    tools: ["node"],
    capacity: 4,
    async run(task) {
      task.evidence({ check: "tests", passed: true, output: "all 2 tests pass" });
      return task.success("fixed, and every test passes");
    },
  },
];

/** An agent that always fails. */
export const juggler: Parameters<typeof startTeam>[1][number] = {
  pack: "juggler",
  version: "1.0.0",
  description: "Juggles, badly",
  taskTypes: ["juggling"],
  capacity: 4,
  async run(task) {
    return task.failure("dropped all of it");
  },
};

export async function submitJuggling(hub: HubProcess, key: string): Promise<string> {
  return submitSingle(hub, key, "juggling", "Juggle five balls");
}

/** A release in two stages. The second has critical risk and needs a review. */
export async function submitRelease(hub: HubProcess, key: string, repository = ""): Promise<string> {
  const { pipeline } = await hub.clients().orchestrator.submitTask({
    idempotencyKey: key,
    plan: {
      case: "pipeline",
      value: {
        name: "Release 4.2",
        stages: [
          {
            stageId: "prepare",
            taskType: "prepare-release",
            config: { required: true, riskTier: RiskTier.LOW },
          },
          {
            stageId: "ship",
            taskType: "ship-release",
            config: { required: true, dependsOnStages: ["prepare"], riskTier: RiskTier.CRITICAL },
          },
        ],
      },
    },
    contract: { taskId: key, title: "Release 4.2", acceptanceCriteria: ["4.2 is out"] },
    refs: [{ uriOrLocator: "CHANGELOG.md" }],
    ...(repository !== "" && { workspace: { repository } }),
  });
  return pipeline?.pipelineId ?? "";
}

export async function submitDesign(hub: HubProcess, key: string): Promise<string> {
  return submitSingle(hub, key, "design", "Design the sign-up page");
}

/** No agent supports this task type. */
export async function submitDance(hub: HubProcess, key: string): Promise<string> {
  return submitSingle(hub, key, "dancing", "Dance a little");
}

export async function submitSingle(
  hub: HubProcess,
  key: string,
  taskType: string,
  title: string,
): Promise<string> {
  const { pipeline } = await hub.clients().orchestrator.submitTask({
    idempotencyKey: key,
    plan: { case: "taskType", value: taskType },
    contract: { taskId: key, title, acceptanceCriteria: ["it is there"] },
    refs: [{ uriOrLocator: "README.md" }],
    riskTier: RiskTier.LOW,
  });
  return pipeline?.pipelineId ?? "";
}

/** A task whose tests fail, whatever its agent claims. */
export async function submitFix(hub: HubProcess, key: string, path: string): Promise<string> {
  const { pipeline } = await hub.clients().orchestrator.submitTask({
    idempotencyKey: key,
    plan: {
      case: "pipeline",
      value: {
        name: "Fix the slugs",
        stages: [
          {
            stageId: "fix",
            taskType: "fix",
            config: {
              required: true,
              handoffPolicy: { retry: { maxAttempts: 2, initialBackoff: { nanos: 1_000_000 } } },
            },
          },
        ],
        policy: { maxTotalRetries: 4, maxRejections: 2, failureStrategy: FailureStrategy.PAUSE },
      },
    },
    riskTier: RiskTier.LOW,
    contract: {
      taskId: key,
      title: "Fix the slugs",
      acceptanceCriteria: ["tests pass"],
      environment: { testCommand: "node --test" },
    },
    refs: [{ uriOrLocator: "slug.js" }],
    workspace: { repository: "slugs", path },
  });
  return pipeline?.pipelineId ?? "";
}
