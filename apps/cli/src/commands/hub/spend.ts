import {
  encodeJson,
  GetSpendResponseSchema,
  RaiseSpendLimitResponseSchema,
  SpendRowSchema,
} from "@baton/contract/forms";
import { type Command, InvalidArgumentError } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { type Session, withHub } from "../../session.ts";
import { readCount, readDollars } from "../../task/values.ts";
import { renderLimits, renderSpend, type SpendGroup, spendGroups } from "../../views/spend/spend-view.ts";
import { withExamples } from "../options/examples.ts";

interface SpendOptions {
  readonly by: readonly SpendGroup[];
  readonly from?: string;
  readonly to?: string;
}

interface RaiseOptions {
  readonly tokens?: number;
  readonly usd?: bigint;
  readonly reason: string;
}

/** What the tenant spends on models, and what it may spend. */
export function addSpend(program: Command): void {
  const spend = program
    .command("spend")
    .description(
      "Prints what your tenant spent on models, as its agents report it, and its limits. Days are in UTC.",
    )
    .option("--by <what>", `a row for each of these: ${spendGroups.join(", ")}`, readGroups, ["day"])
    .option("--from <day>", "the first day, such as 2026-03-14 (default: 29 days before the last)")
    .option("--to <day>", "the last day (default: today)")
    .action((options: SpendOptions, command: Command) =>
      withHub(command, (session) => print(session, options)),
    );
  withExamples(spend, [
    ["baton spend", "the last 30 days, and the limits"],
    ["baton spend --by model,agent --from 2026-03-01", "by model and agent"],
    ["baton spend --by day --output jsonl | jq -r .usage.costMicroUsd", "for a program"],
  ]);
  const raise = spend
    .command("raise")
    .summary("raise a limit for today")
    .description(
      "Lets your tenant spend more today, beyond the limits of day and month. Runs that wait for the limit go on.",
    )
    .option("--tokens <n>", "tokens in addition", readCount)
    .option("--usd <amount>", "dollars in addition", readDollars)
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .action((options: RaiseOptions, command: Command) =>
      withHub(command, (session) => raiseLimit(session, options)),
    );
  withExamples(raise, [
    ['baton spend raise --usd 25 --reason "the release is today"', "25 dollars more, today"],
    ['baton spend raise --tokens 2000000 --reason "..."', "2 million tokens more"],
  ]);
}

/** Such as `day,model`. */
function readGroups(text: string): readonly SpendGroup[] {
  const names = text.split(",").map((name) => name.trim());
  const groups = spendGroups.filter((group) => names.includes(group));
  if (groups.length === new Set(names).size) return groups;
  throw new InvalidArgumentError(`Give some of ${spendGroups.join(", ")}, separated by commas.`);
}

async function print(session: Session, { by, from = "", to = "" }: SpendOptions): Promise<number> {
  const { hub, signal, output } = session;
  const request = {
    ...{ fromDay: from, toDay: to, byDay: by.includes("day"), byModel: by.includes("model") },
    ...{ byPack: by.includes("agent"), byTemplate: by.includes("template") },
  };
  const answer = await hub.inspection.getSpend(request, { signal });
  if (output === "json") await session.writeJson(encodeJson(GetSpendResponseSchema, answer));
  else if (output === "jsonl")
    for (const row of answer.rows) await session.writeJson(encodeJson(SpendRowSchema, row));
  else {
    if (answer.rows.length === 0)
      session.printNote(`nothing was spent from ${answer.fromDay} to ${answer.toDay}`);
    await session.write(
      answer.rows.length === 0
        ? renderLimits(session.terminal, answer.limits)
        : renderSpend(session.terminal, answer, by),
    );
  }
  return exitCode.ok;
}

async function raiseLimit(session: Session, { tokens, usd, reason }: RaiseOptions): Promise<number> {
  if (tokens === undefined && usd === undefined)
    throw new CliError("BATON-CLI-001", "no amount is given", { fix: "give --tokens, --usd or both" });
  const request = {
    reason,
    ...(tokens !== undefined && { tokens: BigInt(tokens) }),
    ...(usd !== undefined && { costMicroUsd: usd }),
  };
  const answer = await session.hub.orchestrator.raiseSpendLimit(request, { signal: session.signal });
  if (session.output !== "text") await session.writeJson(encodeJson(RaiseSpendLimitResponseSchema, answer));
  else await session.write(renderLimits(session.terminal, answer.limits));
  return exitCode.ok;
}
