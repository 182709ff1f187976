import { type Escalation, EscalationKind } from "@baton/contract/forms";

/** How `baton` is called to reach the hub that asks: as it is, or with the address that was typed. */
export type AnswerWay = string;

/** Questions that may be about agents that are shut out: before they are let in again, an answer may change nothing. */
export function isAboutAgents({ kind }: Escalation): boolean {
  return kind === EscalationKind.FAILURE || kind === EscalationKind.ROUTING;
}

export function howToLetIn(name: string, way: AnswerWay): string {
  return `${way} agent restore ${name} --reason "..."`;
}

/**
 * What a person types to answer a question, with a line for each of its options. Ids are of the hub's making, so a shell
 * takes them as they are.
 */
export function howToAnswer(question: Escalation, way: AnswerWay): readonly string[] {
  const { kind, escalationId, snapshot } = question;
  if (kind === EscalationKind.REVIEW) {
    return [
      `${way} approve ${escalationId} --reason "..."`,
      `${way} reject ${escalationId} --reason "..." --instruct "..."`,
      howToFail(escalationId, way),
    ];
  }
  return (snapshot?.options ?? ["abort"]).map((option) => howToChoose(question, option, way));
}

/** One of the options of a question that is no review. */
export function howToChoose(
  { kind, escalationId, pipelineId }: Escalation,
  option: string,
  way: AnswerWay,
): string {
  if (option === "abort" || option === "resume") return steer(option, pipelineId, way);
  if (kind === EscalationKind.CLARIFICATION) return `${way} answer ${escalationId} "..."`;
  return `${way} answer ${escalationId} ${option.includes(" ") ? `"${option}"` : option}`;
}

/** Of a review: the work is not good, and another attempt would be of no use. */
export function howToFail(escalationId: string, way: AnswerWay): string {
  return `${way} reject ${escalationId} --unfixable --reason "..."`;
}

export function howToResume(pipelineId: string, way: AnswerWay): string {
  return steer("resume", pipelineId, way);
}

function steer(how: string, pipelineId: string, way: AnswerWay): string {
  return `${way} runs ${how} ${pipelineId} --reason "..."`;
}
