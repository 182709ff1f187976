import { EscalationSchema, encodeJson, ListEscalationsResponseSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { exitCode } from "../exit-code.ts";
import { all } from "../hub/filter.ts";
import { listEscalations } from "../hub/list-escalations.ts";
import { limits } from "../limits.ts";
import { withHub } from "../session.ts";
import { risks } from "../task/task-options.ts";
import { readRows } from "../task/values.ts";
import { renderEscalations } from "../views/escalation-list.ts";
import { withExamples } from "./examples.ts";

interface InboxOptions {
  readonly all?: boolean;
  readonly risk?: keyof typeof risks;
  readonly limit: number;
}

export function addInbox(program: Command): void {
  const inbox = program
    .command("inbox")
    .summary("what waits for a person")
    .description("Lists what waits for a person, the oldest first: problem, impact, options, advice.")
    .option("--all", "also what has been answered")
    .addOption(new Option("--risk <tier>", "only of this risk").choices(Object.keys(risks)))
    .option("--limit <n>", "how many at the most", readRows, limits.defaultListRows)
    .action((options: InboxOptions, command: Command) =>
      withHub(command, async (session) => {
        const filter = all(
          options.all ? undefined : "resolved = false",
          options.risk && `risk_tier = RISK_TIER_${options.risk.toUpperCase()}`,
        );
        const { rows, more } = await listEscalations(
          session.hub,
          { most: options.limit, filter },
          session.signal,
        );
        if (session.output === "json") {
          const response = create(ListEscalationsResponseSchema, { escalations: [...rows] });
          await session.writeJson(encodeJson(ListEscalationsResponseSchema, response));
        } else if (session.output === "jsonl") {
          for (const row of rows) await session.writeJson(encodeJson(EscalationSchema, row));
        } else if (rows.length === 0) {
          session.tell("nothing waits for a person");
        } else {
          await session.write(renderEscalations(session.look, rows, session.way, Date.now()));
        }
        if (more) session.tell(`there are more; --limit ${options.limit * 2} shows more`);
        return exitCode.ok;
      }),
    );
  withExamples(inbox, [
    ["baton inbox --risk critical", "what is most urgent"],
    ["baton inbox --output jsonl | jq -r .escalationId", "ids alone"],
  ]);
}
