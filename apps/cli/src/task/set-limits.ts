import { BudgetSchema, type SubmitTaskRequest } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { CliError } from "../errors/cli-error.ts";
import { contextLevels, failures, priorities, risks, type TaskOptions } from "./task-options.ts";

/** Sets risk, priority, budget, retries and deadline. */
export function setLimits(request: SubmitTaskRequest, options: TaskOptions): void {
  if (options.risk !== undefined) request.riskTier = risks[options.risk];
  if (options.priority !== undefined) request.priority = priorities[options.priority];
  if (options.contextLevel !== undefined) request.contextLevel = contextLevels[options.contextLevel];
  if (options.patchLimit !== undefined) request.patchSizeLimit = options.patchLimit;
  if (options.maxRetries !== undefined) request.maxRetries = options.maxRetries;
  if (options.onFailure !== undefined) request.failureStrategy = failures[options.onFailure];
  if (options.timeout !== undefined) request.timeout = options.timeout;
  if (options.replyTo !== undefined) request.replyTo = [...options.replyTo];
  if (options.replyProgress) request.replyProgress = true;
  if (options.dryRun) request.validateOnly = true;
  limitSpending(request, options);
  if (options.deadline === undefined) return;
  if (options.deadline.fromNow !== undefined && options.key !== undefined) {
    throw new CliError("BATON-CLI-001", "a deadline that counts from now makes every request another one", {
      fix: "with --key, give the deadline as an instant, so that the request can be repeated",
    });
  }
  request.deadline = options.deadline.at;
}

function limitSpending(request: SubmitTaskRequest, options: TaskOptions): void {
  const { budgetTokens, budgetUsd, budgetSteps } = options;
  if (budgetTokens === undefined && budgetUsd === undefined && budgetSteps === undefined) return;
  request.budget ??= create(BudgetSchema);
  if (budgetTokens !== undefined) request.budget.maxTokens = BigInt(budgetTokens);
  if (budgetUsd !== undefined) request.budget.maxCostMicroUsd = budgetUsd;
  if (budgetSteps !== undefined) request.budget.maxSteps = budgetSteps;
}
