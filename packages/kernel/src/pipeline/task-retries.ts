import {
  HandoffPolicySchema,
  type PipelinePolicy,
  PipelinePolicySchema,
  RetryPolicySchema,
  type Stage,
  StageConfigSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";

interface Planned {
  readonly stages: readonly Stage[];
  readonly policy: PipelinePolicy | undefined;
}

/** Stages and policy with the retries that the task itself allows (A §2.14). Without any, the same objects. */
export function withTaskRetries<Plan extends Planned>(plan: Plan, maxRetries: number | undefined): Plan {
  if (maxRetries === undefined) return plan;
  const whole = plan.policy ?? create(PipelinePolicySchema);
  return {
    ...plan,
    stages: plan.stages.map((stage) => allowAttempts(stage, maxRetries + 1)),
    policy: { ...whole, noRetries: maxRetries === 0, maxTotalRetries: maxRetries },
  };
}

/** The default of three attempts would keep a stage from using what the task allows. */
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
