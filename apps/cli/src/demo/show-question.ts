import type { Escalation } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { eventLine, heading } from "../story/story-line.ts";
import { cannotRun } from "./cannot-run.ts";
import { type DemoTask, type FollowedTask, type Setting, showTask } from "./show-task.ts";
import { printSummary } from "./sum-up.ts";

/** A task that waits for a person, and what it asks. */
export interface WaitingTask {
  readonly task: FollowedTask;
  readonly question: Escalation;
}

/** Submits an incomplete task, and prints its story until its agent asks. */
export async function showQuestion(hub: Hub, setting: Setting, what: DemoTask): Promise<WaitingTask> {
  const task = await showTask(hub, setting, what);
  const [question] = task.seen.questions;
  if (question === undefined) throw cannotRun("the task asked nothing", "please report it");
  return { task, question };
}

/** Without a terminal the demonstration answers its own question, and says so. */
export async function answerUnattended(
  hub: Hub,
  { escalationId }: Escalation,
  resolution: string,
  { printer, signal }: Setting,
): Promise<void> {
  const reason = "nobody sits at a terminal: the demonstration answers";
  await hub.orchestrator.resolveEscalation({ escalationId, resolution, reason }, { signal });
  printer.printLine(eventLine("note", `${reason} "${resolution}" itself`));
}

interface AnswerHelp {
  readonly question: Escalation;
  /** An answer that makes sense. */
  readonly answer: string;
  readonly hub: Hub;
  readonly inbox: string;
}

/** Prints where the question is answered. `inbox` signs in too: the first address has scrolled off by now. */
export function printAnswerHelp({ printer }: Setting, { question, answer, hub, inbox }: AnswerHelp): void {
  printer.printLine(heading("It waits for you", question.snapshot?.problem));
  printer.printLine(
    eventLine("answer", "on the page, or from another terminal in this folder; then it goes on here"),
  );
  printer.print([""]);
  printer.printCommands([
    inbox,
    `export BATON_HUB=${hub.address.origin}`,
    `npx baton inbox ${question.escalationId}`,
    `npx baton answer ${question.escalationId} "${answer}"`,
  ]);
}

export async function followToEnd(
  hub: Hub,
  { task }: WaitingTask,
  setting: Setting,
  title: string,
): Promise<number> {
  const { pipeline } = await task.followToEnd();
  return printSummary(hub, pipeline, setting, title);
}
