import {
  type Escalation,
  EscalationSchema,
  encodeJson,
  ListEscalationsResponseSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { exitCode } from "../../exit-code.ts";
import { all } from "../../hub/filter.ts";
import { limits } from "../../limits.ts";
import { findQuestion } from "../../queries/find-question.ts";
import { listMostUrgent } from "../../queries/most-urgent.ts";
import { readCase } from "../../queries/read-case.ts";
import { type Session, withHub } from "../../session.ts";
import { risks } from "../../task/task-options.ts";
import { readRows } from "../../task/values.ts";
import { renderCase } from "../../views/inbox/case-view.ts";
import { renderEscalations } from "../../views/inbox/escalation-list.ts";
import { withExamples } from "../options/examples.ts";
import { printMore } from "../options/print-more.ts";

interface InboxOptions {
  readonly all?: boolean;
  readonly risk?: keyof typeof risks;
  readonly limit: number;
}

export function addInbox(program: Command): void {
  const inbox = program
    .command("inbox")
    .description(
      "Lists open questions, the highest risk first. For one question, prints the evidence, the rule that requires a " +
        "person, and the effect of each answer.",
    )
    .argument("[question]", "its id, its run, or RUN/STAGE")
    .option("--all", "include answered questions")
    .addOption(new Option("--risk <tier>", "only questions with this risk").choices(Object.keys(risks)))
    .option("--limit <n>", "the maximum number of rows", readRows, limits.defaultListRows)
    .action((question: string | undefined, options: InboxOptions, command: Command) =>
      withHub(command, (session) =>
        question === undefined ? showInbox(session, options) : showOne(session, question),
      ),
    );
  withExamples(inbox, [
    ["baton inbox --risk critical", "the most urgent questions"],
    ["baton inbox p-3s43k65n", "the only question of this run, with its evidence"],
    ["baton inbox --output jsonl | jq -r .escalationId", "only the ids"],
  ]);
}

async function showInbox(session: Session, options: InboxOptions): Promise<number> {
  const { hub, signal, output } = session;
  const filter = all(options.all ? undefined : "resolved = false", options.risk && ofRisk(options.risk));
  const { rows, more } = await listMostUrgent(hub, { max: options.limit, filter }, signal);
  const [only] = rows;
  if (output === "json") {
    const response = create(ListEscalationsResponseSchema, { escalations: [...rows] });
    await session.writeJson(encodeJson(ListEscalationsResponseSchema, response));
  } else if (output === "jsonl") {
    for (const row of rows) await session.writeJson(encodeJson(EscalationSchema, row));
  } else if (only === undefined) {
    session.printNote("no open questions");
  } else if (rows.length === 1) {
    await showCase(session, only);
  } else {
    await session.write(renderEscalations(session.terminal, rows, session.invocation, Date.now()));
    session.printNote(
      `evidence and effects of the answers: ${session.invocation} inbox ${only.escalationId}`,
    );
  }
  if (more) printMore(session, options.limit);
  return exitCode.ok;
}

async function showOne(session: Session, given: string): Promise<number> {
  const { hub, signal } = session;
  const question = await findQuestion(hub, given, "any", signal);
  if (session.output === "text") await showCase(session, question);
  else await session.writeJson(encodeJson(EscalationSchema, question));
  return exitCode.ok;
}

async function showCase(
  { hub, signal, terminal, invocation, write }: Session,
  question: Escalation,
): Promise<void> {
  await write(renderCase(terminal, await readCase(hub, question, signal), invocation, Date.now()));
}

/** A risk that is not stated counts as normal (A §3.3). */
function ofRisk(risk: keyof typeof risks): string {
  return risk === "normal"
    ? "risk_tier != RISK_TIER_LOW AND risk_tier != RISK_TIER_CRITICAL"
    : `risk_tier = RISK_TIER_${risk.toUpperCase()}`;
}
