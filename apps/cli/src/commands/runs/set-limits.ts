import { BudgetSchema } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { type Deadline, readDeadline } from "../../task/deadline.ts";
import { readCount, readDollars } from "../../task/values.ts";
import { withExamples } from "../options/examples.ts";
import { showChanged } from "./show-changed.ts";

interface LimitOptions {
  readonly budgetTokens?: number;
  readonly budgetUsd?: bigint;
  readonly budgetSteps?: number;
  readonly deadline?: Deadline;
  readonly reason: string;
}

export function addSetLimits(runs: Command): void {
  const set = runs
    .command("set")
    .summary("change the budget or the deadline")
    .description(
      "Changes the budget or the deadline of a run. Other limits stay unchanged. A stage that waits for budget, and a " +
        "run that is paused by its deadline, continue. A budget below what is spent is refused.",
    )
    .argument("<id>", "the run; the beginning of its id is enough")
    .option("--budget-tokens <n>", "the token budget of all stages together", readCount)
    .option("--budget-usd <amount>", "the cost budget in dollars", readDollars)
    .option("--budget-steps <n>", "the step budget", readCount)
    .option("--deadline <when>", "the deadline: 2h from now, or a time", readDeadline)
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .action((id: string, options: LimitOptions, at: Command) =>
      withHub(at, (session) => changeLimits(session, id, options)),
    );
  withExamples(set, [
    ['baton runs set p-3s43k65n --budget-usd 5 --reason "worth it"', "a budget of 5 dollars in total"],
    ['baton runs set p-3s43k65n --deadline 2h --reason "no hurry"', "a deadline in two hours"],
  ]);
}

async function changeLimits(session: Session, id: string, options: LimitOptions): Promise<number> {
  const { budgetTokens, budgetUsd, budgetSteps, deadline, reason } = options;
  const hasBudget = budgetTokens !== undefined || budgetUsd !== undefined || budgetSteps !== undefined;
  if (!hasBudget && deadline === undefined) {
    throw new CliError("BATON-CLI-001", "no limit is given", {
      fix: "give --budget-tokens, --budget-usd, --budget-steps or --deadline",
    });
  }
  const { hub, signal } = session;
  const { pipelineId } = await findPipeline(hub, id, signal);
  const budget = create(BudgetSchema, {
    ...(budgetTokens !== undefined && { maxTokens: BigInt(budgetTokens) }),
    ...(budgetUsd !== undefined && { maxCostMicroUsd: budgetUsd }),
    ...(budgetSteps !== undefined && { maxSteps: budgetSteps }),
  });
  const request = {
    ...{ pipelineId, reason },
    ...(hasBudget && { budget }),
    ...(deadline !== undefined && { deadline: deadline.at }),
  };
  await showChanged(session, await hub.orchestrator.changeLimits(request, { signal }));
  return exitCode.ok;
}
