import {
  Approval,
  encodeJson,
  GetHeuristicsResponseSchema,
  GiveFeedbackResponseSchema,
  LessonKind,
  ListLessonsResponseSchema,
} from "@baton/contract/forms";
import { type Command, InvalidArgumentError } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { type Session, withHub } from "../../session.ts";
import { gather } from "../../task/values.ts";
import { renderFeedback, renderHeuristics, renderLessons } from "../../views/learning/learning-view.ts";
import { withExamples } from "../options/examples.ts";

interface FeedbackOptions {
  readonly rating?: number;
  readonly note?: string;
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly correction?: string;
  readonly lesson?: LessonKind;
}

/** What a person thinks of the outcome of a governed task. */
export function addFeedback(program: Command): void {
  const feedback = program
    .command("feedback")
    .description(
      "States what you think of the outcome of a governed task. With --lesson, later tasks of the same key get the note.",
    )
    .argument("<run>", "the id of the run")
    .option("--rating <1-5>", "from 1 to 5", readRating)
    .option("--note <text>", "a note")
    .option("--approve", "the outcome is approved")
    .option("--reject", "the outcome is not approved")
    .option("--correction <json>", "what the output should have been")
    .option("--lesson <kind>", "make the note a lesson: playbook or punch-card", readKind)
    .action((pipelineId: string, options: FeedbackOptions, command: Command) =>
      withHub(command, (session) => give(session, pipelineId, options)),
    );
  withExamples(feedback, [
    ["baton feedback RUN --rating 5 --approve", "approves an outcome"],
    ['baton feedback RUN --rating 2 --note "the table lacks units" --lesson punch-card', "adds a lesson"],
  ]);
}

/** The lessons that later tasks get. */
export function addLessons(program: Command): void {
  const lessons = program
    .command("lessons")
    .description("Lists the lessons of governed tasks, and withdraws one.");
  const list = lessons
    .command("list")
    .summary("list the lessons")
    .description("Lists the lessons, and how outcomes with and without lessons were rated since.")
    .action((_: object, command: Command) =>
      withHub(command, async (session) => {
        const answer = await session.hub.knowledge.listLessons({}, { signal: session.signal });
        if (session.output !== "text") await session.writeJson(encodeJson(ListLessonsResponseSchema, answer));
        else if (answer.lessons.length === 0) session.printNote("no lessons yet");
        else await session.write(renderLessons(session.terminal, answer.lessons));
        return exitCode.ok;
      }),
    );
  withExamples(list, [["baton lessons list", "the lessons, and whether they help"]]);
  const withdraw = lessons
    .command("withdraw")
    .summary("withdraw a lesson")
    .description("Withdraws a lesson: no later task gets it.")
    .argument("<lesson>", "the id, as `baton lessons list` prints it")
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .action((lessonId: string, { reason }: { readonly reason: string }, command: Command) =>
      withHub(command, async (session) => {
        await session.hub.knowledge.withdrawLesson({ lessonId, reason }, { signal: session.signal });
        session.printNote(`withdrew lesson ${lessonId}`);
        return exitCode.ok;
      }),
    );
  withExamples(withdraw, [['baton lessons withdraw ID --reason "it is wrong"', "withdraws it"]]);
}

interface ChangeOptions {
  readonly capability?: string;
  readonly ignore?: readonly string[];
  readonly harmlessTool?: readonly string[];
  readonly actingTool?: readonly string[];
  readonly reason: string;
}

/** What the identity of governed tasks depends on. */
export function addHeuristics(program: Command): void {
  const heuristics = program
    .command("heuristics")
    .description("Shows and changes which parts of payloads do not matter, and which tools act on nothing.");
  const show = heuristics
    .command("show")
    .summary("show the heuristics")
    .description("Shows the heuristics in force and their version.")
    .action((_: object, command: Command) =>
      withHub(command, async (session) => {
        const answer = await session.hub.knowledge.getHeuristics({}, { signal: session.signal });
        if (session.output !== "text")
          await session.writeJson(encodeJson(GetHeuristicsResponseSchema, answer));
        else await session.write(renderHeuristics(session.terminal, answer.heuristics));
        return exitCode.ok;
      }),
    );
  withExamples(show, [["baton heuristics show", "the version in force"]]);
  const change = heuristics
    .command("change")
    .summary("change the heuristics")
    .description(
      "Makes a new version. Stored outcomes keep their keys. --capability without --ignore lets everything matter again.",
    )
    .option("--capability <name>", "whose payloads the rule is about")
    .option(
      "--ignore <pointer>",
      "a JSON pointer to a part that does not matter; may be repeated, replaces those before",
      gather,
    )
    .option(
      "--harmless-tool <name>",
      "a tool that acts on nothing, so that its use keeps no outcome out of the cache; may be repeated",
      gather,
    )
    .option("--acting-tool <name>", "a tool that may act on the world after all; may be repeated", gather)
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .action((options: ChangeOptions, command: Command) =>
      withHub(command, (session) => changeHeuristics(session, options)),
    );
  withExamples(change, [
    [
      'baton heuristics change --capability report.write --ignore /requestId --reason "an id"',
      "ignores an id",
    ],
    ['baton heuristics change --harmless-tool search --reason "it only reads"', "a tool that only reads"],
  ]);
}

async function give(session: Session, pipelineId: string, options: FeedbackOptions): Promise<number> {
  const { rating = 0, note = "", approve, reject, correction = "", lesson } = options;
  if (approve && reject)
    throw new CliError("BATON-CLI-001", "--approve and --reject contradict each other", {
      fix: "give one of them",
    });
  const approval = approve ? Approval.APPROVED : reject ? Approval.REJECTED : Approval.UNSPECIFIED;
  const request = {
    ...{ pipelineId, rating, note, approval, correctionJson: correction },
    ...(lesson !== undefined && { lesson }),
  };
  const answer = await session.hub.knowledge.giveFeedback(request, { signal: session.signal });
  if (session.output !== "text") await session.writeJson(encodeJson(GiveFeedbackResponseSchema, answer));
  else await session.write(renderFeedback(session.terminal, answer));
  return exitCode.ok;
}

async function changeHeuristics(session: Session, options: ChangeOptions): Promise<number> {
  const { capability, ignore = [], harmlessTool = [], actingTool = [], reason } = options;
  if (capability === undefined && ignore.length > 0)
    throw new CliError("BATON-CLI-001", "--ignore is about the payloads of a capability", {
      fix: "give --capability",
    });
  const request = {
    ...{ harmlessTools: [...harmlessTool], actingTools: [...actingTool], reason },
    ...(capability !== undefined && { essence: { capability, pointers: [...ignore] } }),
  };
  const { heuristics } = await session.hub.knowledge.changeHeuristics(request, { signal: session.signal });
  if (session.output !== "text")
    await session.writeJson(
      encodeJson(GetHeuristicsResponseSchema, {
        $typeName: "vasini.agent.v1.GetHeuristicsResponse",
        ...(heuristics && { heuristics }),
      }),
    );
  else await session.write(renderHeuristics(session.terminal, heuristics));
  return exitCode.ok;
}

function readRating(text: string): number {
  if (/^[1-5]$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a number from 1 to 5.");
}

function readKind(text: string): LessonKind {
  if (text === "playbook") return LessonKind.PLAYBOOK;
  if (text === "punch-card") return LessonKind.PUNCH_CARD;
  throw new InvalidArgumentError("Give playbook or punch-card.");
}
