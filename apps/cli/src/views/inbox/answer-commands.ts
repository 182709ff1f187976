import { type Escalation, EscalationKind } from "@baton/contract/forms";

/** How the printed commands call `baton`: with the hub's address if it was given as an option. */
export type Invocation = string;

/** Questions that quarantined agents may cause: until these are restored, an answer may have no effect. */
export function concernsAgents({ kind }: Escalation): boolean {
  return kind === EscalationKind.FAILURE || kind === EscalationKind.ROUTING;
}

export function restoreCommand(name: string, invocation: Invocation): string {
  return `${invocation} agent restore ${name} --reason "..."`;
}

/** The commands that answer a question, one per option. The hub generates ids that need no quoting in a shell. */
export function answerCommands(question: Escalation, invocation: Invocation): readonly string[] {
  const { kind, escalationId, snapshot } = question;
  if (kind === EscalationKind.REVIEW) {
    return [
      `${invocation} approve ${escalationId} --reason "..."`,
      `${invocation} reject ${escalationId} --reason "..." --instruct "..."`,
      failCommand(escalationId, invocation),
    ];
  }
  return (snapshot?.options ?? ["abort"]).map((option) => optionCommand(question, option, invocation));
}

/** The command for one option of a question other than a review. */
export function optionCommand(
  { kind, escalationId, pipelineId }: Escalation,
  option: string,
  invocation: Invocation,
): string {
  if (option === "abort" || option === "resume") return runCommand(option, pipelineId, invocation);
  if (kind === EscalationKind.CLARIFICATION) return `${invocation} answer ${escalationId} "..."`;
  return `${invocation} answer ${escalationId} ${option.includes(" ") ? `"${option}"` : option}`;
}

/** The command that rejects work for which another attempt is of no use. */
export function failCommand(escalationId: string, invocation: Invocation): string {
  return `${invocation} reject ${escalationId} --unfixable --reason "..."`;
}

export function resumeCommand(pipelineId: string, invocation: Invocation): string {
  return runCommand("resume", pipelineId, invocation);
}

function runCommand(action: string, pipelineId: string, invocation: Invocation): string {
  return `${invocation} runs ${action} ${pipelineId} --reason "..."`;
}
