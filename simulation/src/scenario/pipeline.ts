import { FailureStrategy, PipelinePolicySchema, RiskTier, SubmitTaskRequestSchema } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Random } from "../chance/random.ts";
import type { PipelineInput } from "../kernel.ts";
import { drawShape, type Shape } from "./shape.ts";
import { drawFlavour, drawStages, type Flavour } from "./stage-config.ts";

type Submission = Extract<PipelineInput, { type: "submit" }>;

/** A submission and its time. */
export interface PipelineScenario {
  readonly submission: Submission;
  readonly shape: Shape;
  readonly submitAtMs: number;
}

export function drawPipeline(place: number, startMs: number, random: Random): PipelineScenario {
  const shape = drawShape(random);
  const flavour = drawFlavour(random);
  const submitAtMs = startMs + random.int(0, place === 0 ? 0 : 20_000);
  const pipelineId = `p${place + 1}`;
  return {
    shape,
    submitAtMs,
    submission: {
      type: "submit",
      pipelineId,
      tenantId: "acme",
      traceId: `${place + 1}`.padStart(32, "4bf92f3577b34da6a3ce929d0e0e4736"),
      templateId: "simulated",
      name: pipelineId,
      task: drawTask(pipelineId, submitAtMs, flavour, random),
      stages: drawStages(shape, flavour, random),
      policy: random.chance(0.9) ? drawPolicy(random) : undefined,
      by: { kind: "human", id: "ada" },
    },
  };
}

function drawPolicy(random: Random) {
  const init: MessageInitShape<typeof PipelinePolicySchema> = {
    maxTotalRetries: random.pick([0, 1, 3, 8]),
    maxRejections: random.pick([0, 1, 2, 4]),
    failureStrategy: random.pick([
      FailureStrategy.UNSPECIFIED,
      FailureStrategy.FAIL_FAST,
      FailureStrategy.SKIP_FAILED,
      FailureStrategy.PAUSE,
    ]),
    requireAllStages: random.chance(0.1),
    serial: random.chance(0.25),
    softDeadline: random.chance(0.4),
  };
  if (random.chance(0.35)) init.pipelineDeadline = durationFromMs(random.int(10, 180) * 1000);
  if (random.chance(0.5)) init.budget = drawBudget(random);
  return create(PipelinePolicySchema, init);
}

function drawBudget(random: Random) {
  return {
    maxTokens: BigInt(
      random.weighted([
        [0, 0.3],
        [500, 3],
        [3000, 4],
        [20_000, 4],
      ]),
    ),
    ...(random.chance(0.4) && { maxCostMicroUsd: BigInt(random.int(1, 9) * 10_000) }),
    ...(random.chance(0.4) && { maxSteps: random.int(3, 80) }),
  };
}

function drawTask(pipelineId: string, nowMs: number, { flags }: Flavour, random: Random) {
  const withCommands = random.chance(0.4);
  const init: MessageInitShape<typeof SubmitTaskRequestSchema> = {
    idempotencyKey: `key-${pipelineId}`,
    plan: { case: "templateId", value: "simulated" },
    contract: {
      taskId: `task-${pipelineId}`,
      title: "Do it",
      acceptanceCriteria: ["it is done"],
      ...(withCommands && { environment: { testCommand: "npm test", lintCommand: "npm run lint" } }),
    },
    riskTier: random.pick([RiskTier.UNSPECIFIED, RiskTier.LOW, RiskTier.NORMAL]),
    safety: {
      maxAutonomousSteps: random.pick([0, 0, 5]),
      securityFlags: { touchesAuth: flags > 0 },
    },
    refs: [{ uriOrLocator: "src/it.ts", fetchedAt: timestampFromMs(nowMs - random.int(0, 60_000)) }],
  };
  if (withCommands && random.chance(0.7)) init.workspace = drawWorkspace(random);
  if (random.chance(0.05)) init.deadline = timestampFromMs(nowMs + random.int(30, 300) * 1000);
  return create(SubmitTaskRequestSchema, init);
}

/** Mostly a repository with a workspace for every attempt; sometimes a folder shared by all. */
function drawWorkspace(random: Random) {
  const shared = random.chance(0.2) && { path: "/it", baseCommit: "abc" };
  return { repository: "/it", baseCommit: random.pick(["", "abc"]), ...shared };
}
