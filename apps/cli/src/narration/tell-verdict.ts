import type { Escalation } from "@baton/contract/forms";
import type { Verdict } from "../hub/verdicts.ts";
import { type AnswerWay, howToAnswer } from "../views/how-to-answer.ts";
import { type Beat, deed } from "./beat.ts";
import { tellAsked } from "./tell-asked.ts";
import { EntryTeller } from "./tell-entry.ts";

/** What a verdict says to whoever watches many pipelines: each by itself, since others are told in between. */
export function tellVerdict(verdict: Verdict, way: AnswerWay): readonly Beat[] {
  return verdict.kind === "entry" ? new EntryTeller().tell(verdict.of) : tellQuestion(verdict.of, way);
}

/** What is asked; while it is open, also where the evidence is and what a person types. */
function tellQuestion(question: Escalation, way: AnswerWay): readonly Beat[] {
  const { escalationId, snapshot, resolvedAt } = question;
  const asked = tellAsked(snapshot?.problem, snapshot, way);
  if (resolvedAt !== undefined) return [asked];
  const commands = howToAnswer(question, way).map((command) => deed("answer", command));
  return [asked, deed("evidence", `${way} inbox ${escalationId}`), ...commands];
}
