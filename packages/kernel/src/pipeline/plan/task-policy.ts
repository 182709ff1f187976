import {
  type Budget,
  BudgetSchema,
  HandoffPolicySchema,
  type PipelinePolicy,
  PipelinePolicySchema,
  RetryPolicySchema,
  type Stage,
  StageConfigSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { PipelinePlan } from "./plan.ts";

/**
 * How strict a hub is (A §3.4, §4.7). In production independent stages run side by side, a missed deadline pauses the run
 * and asks a person, and circuit breakers count every failure. In dev one stage of a run works at a time, a missed
 * deadline only warns, and failures of commands that the hub starts itself trip no breaker.
 */
export const hubModes = ["dev", "production"] as const;

export type HubMode = (typeof hubModes)[number];

export const defaultMode: HubMode = "production";

/** The policy of a new run. Settings of the policy take precedence over the mode. */
export function applyMode(mode: HubMode, policy: PipelinePolicy | undefined): PipelinePolicy | undefined {
  if (mode === "production") return policy;
  const stated = policy ?? create(PipelinePolicySchema);
  const { serial, parallel, softDeadline, hardDeadline } = stated;
  return { ...stated, serial: serial || !parallel, softDeadline: softDeadline || !hardDeadline };
}

interface Planned {
  readonly stages: readonly Stage[];
  readonly policy: PipelinePolicy | undefined;
  readonly plan?: PipelinePlan | undefined;
}

/** Applies the retries that the task allows (A §2.14). Without any, returns the same object. */
export function withTaskRetries<Plan extends Planned>(plan: Plan, maxRetries: number | undefined): Plan {
  if (maxRetries === undefined) return plan;
  const whole = plan.policy ?? create(PipelinePolicySchema);
  return {
    ...plan,
    stages: plan.stages.map((stage) => allowAttempts(stage, maxRetries + 1)),
    plan: undefined,
    policy: { ...whole, noRetries: maxRetries === 0, maxTotalRetries: maxRetries },
  };
}

/** Else the default of three attempts would limit the stage. */
function allowAttempts(stage: Stage, maxAttempts: number): Stage {
  const config = stage.config ?? create(StageConfigSchema);
  const handoffPolicy = config.handoffPolicy ?? create(HandoffPolicySchema);
  const retry = handoffPolicy.retry ?? create(RetryPolicySchema);
  if (retry.maxAttempts > 0) return stage;
  return {
    ...stage,
    config: { ...config, handoffPolicy: { ...handoffPolicy, retry: { ...retry, maxAttempts } } },
  };
}

/**
 * The policy of a pipeline with the budget of its task. The lower limit of each kind applies: a task cannot spend more
 * than its template allows, nor a template more than the task allows.
 */
export function withTaskBudget(
  policy: PipelinePolicy | undefined,
  budget: Budget | undefined,
): PipelinePolicy | undefined {
  if (!budget) return policy;
  return { ...(policy ?? create(PipelinePolicySchema)), budget: lowerOf(policy?.budget, budget) };
}

function lowerOf(template: Budget | undefined, task: Budget): Budget {
  const maxTokens = lower(template?.maxTokens, task.maxTokens);
  const maxCostMicroUsd = lower(template?.maxCostMicroUsd, task.maxCostMicroUsd);
  const maxSteps = lower(template?.maxSteps, task.maxSteps);
  return create(BudgetSchema, {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCostMicroUsd !== undefined && { maxCostMicroUsd }),
    ...(maxSteps !== undefined && { maxSteps }),
  });
}

function lower<Amount extends bigint | number>(
  a: Amount | undefined,
  b: Amount | undefined,
): Amount | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
