import type { Escalation } from "@baton/contract/forms";
import type { Hub } from "../hub/connect-hub.ts";
import { deed, heading } from "../narration/beat.ts";
import { cannotRun } from "./cannot-run.ts";
import { type Setting, type ShownTask, showTask } from "./show-task.ts";
import { sumUp } from "./sum-up.ts";

/** A task that waits for a person, and what it asks. */
export interface WaitingTask {
  readonly task: ShownTask;
  readonly question: Escalation;
}

const secondTask = "The second task";

/** Gives the hub the task that leaves something open, and tells it until its agent asks. */
export async function showQuestion(hub: Hub, setting: Setting): Promise<WaitingTask> {
  const task = await showTask(hub, setting, { file: setting.example.question, title: secondTask });
  const [question] = task.seen.questions;
  if (question === undefined) throw cannotRun("the second task asked nothing", "please report it");
  return { task, question };
}

/** Where nobody sits at a terminal, nobody answers: it is done for them, and said. */
export async function answerForNobody(
  hub: Hub,
  { escalationId }: Escalation,
  { narrator, signal }: Setting,
): Promise<void> {
  const [resolution, reason] = ["60", "nobody sits at a terminal: the demonstration answers"];
  await hub.orchestrator.resolveEscalation({ escalationId, resolution, reason }, { signal });
  narrator.say(deed("note", `${reason} "${resolution}" itself`));
}

/** Says where the question is answered. */
export function tellHowToAnswer(
  { narrator }: Setting,
  { question, hub, http }: { readonly question: Escalation; readonly hub: Hub; readonly http: string },
): void {
  narrator.say(heading("It waits for you", question.snapshot?.problem));
  narrator.say(deed("answer", "on the page, or from another terminal in this folder; then it goes on here"));
  narrator.print([""]);
  narrator.sayCommands([
    `${http}/inbox`,
    `export BATON_HUB=${hub.address.origin}`,
    `npx baton inbox ${question.escalationId}`,
    `npx baton answer ${question.escalationId} "60 characters"`,
  ]);
}

export async function tellRest(hub: Hub, { task }: WaitingTask, setting: Setting): Promise<number> {
  const { pipeline } = await task.tellRest();
  return sumUp(hub, pipeline, setting, secondTask);
}
