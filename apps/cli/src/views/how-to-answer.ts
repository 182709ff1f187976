import { type Escalation, EscalationKind } from "@baton/contract";

/** How `baton` is called to reach the hub that asks: as it is, or with the address that was typed. */
export type AnswerWay = string;

/** Questions that may be about agents that are shut out: before they are let in again, an answer may change nothing. */
export function isAboutAgents({ kind }: Escalation): boolean {
  return kind === EscalationKind.FAILURE || kind === EscalationKind.ROUTING;
}

export function howToLetIn(name: string, way: AnswerWay): string {
  return `${way} agent restore ${name} --reason "..."`;
}

/** What a person types to answer a question. Ids are of the hub's making, so a shell takes them as they are. */
export function howToAnswer(question: Escalation, way: AnswerWay): readonly string[] {
  const { kind, escalationId, pipelineId, snapshot } = question;
  if (kind === EscalationKind.REVIEW) {
    return [
      `${way} approve ${escalationId} --reason "..."`,
      `${way} reject ${escalationId} --reason "..." --instruct "..."`,
    ];
  }
  if (kind === EscalationKind.CLARIFICATION) return [`${way} answer ${escalationId} "..."`];
  const option = snapshot?.options.find((one) => one !== "abort");
  if (option === undefined) return [steer("abort", pipelineId, way)];
  if (option === "resume") return [howToResume(pipelineId, way)];
  return [`${way} answer ${escalationId} ${option}`];
}

export function howToResume(pipelineId: string, way: AnswerWay): string {
  return steer("resume", pipelineId, way);
}

function steer(how: string, pipelineId: string, way: AnswerWay): string {
  return `${way} pipeline ${how} ${pipelineId} --reason "..."`;
}
