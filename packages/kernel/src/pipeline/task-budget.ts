import { type Budget, BudgetSchema, type PipelinePolicy, PipelinePolicySchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";

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
