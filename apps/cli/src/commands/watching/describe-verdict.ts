import type { Escalation } from "@baton/contract/forms";
import type { Verdict } from "../../follow/verdicts.ts";
import { describeQuestion, EntryPrinter } from "../../story/entry-printer.ts";
import { eventLine, type StoryLine } from "../../story/story-line.ts";
import { answerCommands, type Invocation } from "../../views/inbox/answer-commands.ts";

/** The story lines of a verdict, each complete, because other runs come in between. */
export function describeVerdict(verdict: Verdict, invocation: Invocation): readonly StoryLine[] {
  return verdict.kind === "entry"
    ? new EntryPrinter().print(verdict.of)
    : describeOpenQuestion(verdict.of, invocation);
}

/** A question; while it is open, also the command for its evidence and its answers. */
function describeOpenQuestion(question: Escalation, invocation: Invocation): readonly StoryLine[] {
  const { escalationId, snapshot, resolvedAt } = question;
  const asked = describeQuestion(snapshot?.problem, snapshot, invocation);
  if (resolvedAt !== undefined) return [asked];
  const commands = answerCommands(question, invocation).map((command) => eventLine("answer", command));
  return [asked, eventLine("evidence", `${invocation} inbox ${escalationId}`), ...commands];
}
