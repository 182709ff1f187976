/** The pipelines of the load: their stages, and how often their work is rejected. */
import {
  ContextLevel,
  ContextPropagationMode,
  FailureStrategy,
  RiskTier,
  type StageSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { limits } from "../limits.ts";

/** Task types of SDK agents; `repeat` and `late` belong to the repeating agent. */
export const sdkWork = ["quick", "slow", "flaky", "ask", "review"] as const;
export type SdkWork = (typeof sdkWork)[number];
export type WorkType = SdkWork | "repeat" | "late";

/** The decision that shows a reviewer that its instruction was followed. */
export const heeded = "followed the review";

interface StageGiven {
  readonly id: string;
  readonly type: WorkType;
  readonly after?: readonly string[];
  /** Reviewed by a person. */
  readonly critical?: boolean;
  readonly timeoutMs?: number;
}

interface Scenario {
  readonly stages: readonly StageGiven[];
  /** How often its work is rejected. */
  readonly rejections: number;
}

export const scenarios = {
  "one stage": { rejections: 0, stages: [{ id: "only", type: "quick" }] },
  "three stages": {
    rejections: 0,
    stages: [
      { id: "first", type: "quick" },
      { id: "second", type: "slow", after: ["first"] },
      { id: "third", type: "flaky", after: ["second"] },
    ],
  },
  diamond: {
    rejections: 0,
    stages: [
      { id: "top", type: "quick" },
      { id: "left", type: "slow", after: ["top"] },
      { id: "right", type: "repeat", after: ["top"] },
      { id: "bottom", type: "quick", after: ["left", "right"] },
    ],
  },
  "rejected once by an agent": {
    rejections: 1,
    stages: [
      { id: "work", type: "quick" },
      { id: "review", type: "review", after: ["work"] },
      { id: "verify", type: "quick", after: ["review"] },
    ],
  },
  "rejected once by a person": {
    rejections: 1,
    stages: [
      { id: "work", type: "quick" },
      { id: "guarded", type: "quick", after: ["work"], critical: true },
    ],
  },
  "asks a person": { rejections: 0, stages: [{ id: "only", type: "ask" }] },
  "repeated answers": { rejections: 0, stages: [{ id: "only", type: "repeat" }] },
  /** Its first attempt is answered after it was given up. */
  "late answer": { rejections: 0, stages: [{ id: "only", type: "late", timeoutMs: limits.lateMs }] },
  /** For the recovery: each stage takes a while, so that all pipelines are under way at once. */
  slow: {
    rejections: 0,
    stages: [
      { id: "first", type: "slow" },
      { id: "second", type: "slow", after: ["first"] },
      { id: "third", type: "slow", after: ["second"] },
    ],
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

/** The scenarios of the load. */
export const defaultScenarios = [
  "one stage",
  "three stages",
  "diamond",
  "rejected once by an agent",
  "rejected once by a person",
  "asks a person",
  "repeated answers",
  "late answer",
] as const satisfies readonly ScenarioName[];

export function submissionOf(name: ScenarioName, key: string): SubmitTaskRequest {
  const { stages }: Scenario = scenarios[name];
  return create(SubmitTaskRequestSchema, {
    idempotencyKey: key,
    contract: { taskId: key, title: `${name}, ${key}`, acceptanceCriteria: ["ends as defined"] },
    riskTier: RiskTier.LOW,
    plan: {
      case: "pipeline",
      value: {
        name,
        stages: stages.map(stageOf),
        policy: {
          // Faults cost attempts: a stage without attempts left waits for a person instead of failing.
          failureStrategy: FailureStrategy.PAUSE,
          maxTotalRetries: limits.retries,
          maxRejections: limits.rejections,
        },
      },
    },
  });
}

function stageOf(given: StageGiven): MessageInitShape<typeof StageSchema> {
  const { id, type, after = [], critical, timeoutMs = limits.stageMs } = given;
  return {
    stageId: id,
    stageName: id,
    taskType: type,
    config: {
      required: true,
      dependsOnStages: [...after],
      riskTier: critical ? RiskTier.CRITICAL : RiskTier.LOW,
      timeout: durationFromMs(timeoutMs),
      ...(after.length > 0 && {
        contextPropagation: { mode: ContextPropagationMode.PREVIOUS, carryDecisions: true },
      }),
      handoffPolicy: {
        contextLevel: ContextLevel.LAYERED,
        retry: {
          maxAttempts: limits.attempts,
          initialBackoff: durationFromMs(20),
          backoffMultiplier: 2,
          maxBackoff: durationFromMs(200),
        },
      },
    },
  };
}
