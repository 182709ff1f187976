import { type Escalation, EscalationKind } from "@baton/contract/forms";
import { describeSize, groupByCause } from "@baton/kernel/deciding";
import { withInvocation } from "../../invocation.ts";
import { describeWhen } from "../../terminal/format.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import { renderFacts } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { describeRisk } from "../status.ts";
import { answerCommands, concernsAgents, type Invocation, restoreCommand } from "./answer-commands.ts";

/** Questions to people, each with the commands that answer it. */
export function renderEscalations(
  terminal: Terminal,
  escalations: readonly Escalation[],
  invocation: Invocation,
  nowMs: number,
  indent = "",
  quarantined: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly string[] {
  const { asks, done } = signsOf(terminal);
  return groupByCause(escalations).flatMap(([escalation, ...others], at) => {
    const { escalationId, pipelineId, pipelineName, packId, stageId, riskTier, raisedAt, snapshot } =
      escalation;
    const sign = escalation.resolvedAt ? piece(done, "good") : piece(asks, "asks");
    const heading = `${paint(terminal, sign)} ${paint(terminal, piece(titleOf(escalation), "strong"))}`;
    const { change } = snapshot ?? {};
    const facts = renderFacts(
      terminal,
      [
        ["stage", piece(pipelineName === "" ? stageId : "")],
        ["agent", piece(packId)],
        ["change", piece(change ? describeSize(change) : "")],
        ["raised", piece(describeWhen(terminal, raisedAt, nowMs))],
        ["question", piece(escalationId)],
        ["run", piece(pipelineId)],
        ["also", piece(others.length === 0 ? "" : describeOthers(others))],
        ["about", piece(describeKind(escalation.kind))],
        ["problem", piece(snapshot?.problem ?? "", "asks")],
        ["impact", piece(snapshot?.impact ?? "")],
        ["options", piece(optionsOf(escalation).join(", "))],
        ["advice", piece(withInvocation(snapshot?.recommended ?? "", invocation))],
        ["risk", piece(describeRisk(riskTier))],
        ["answer", piece(snapshot?.resolution ?? "", "good")],
        ["answered by", piece(snapshot?.resolvedBy ?? "")],
        ["answered", piece(describeWhen(terminal, escalation.resolvedAt, nowMs))],
      ],
      `${indent}  `,
    );
    const restore = concernsAgents(escalation) ? (quarantined.get(stageId) ?? []) : [];
    const choices = [
      ...restore.map((name) => restoreCommand(name, invocation)),
      ...choiceCommands(escalation, others.length > 0, invocation),
    ];
    const commands = escalation.resolvedAt === undefined ? choices : [];
    return [
      ...(at === 0 ? [] : [""]),
      indent + heading,
      ...facts,
      ...renderCommands(terminal, commands, indent),
    ];
  });
}

function describeOthers(others: readonly Escalation[]): string {
  const ids = others.slice(0, namedOthers).map(({ escalationId }) => escalationId);
  const more = others.length - ids.length;
  return `${others.length} more with the same cause: ${ids.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Questions of a group that are listed besides the first. */
const namedOthers = 3;

function choiceCommands(escalation: Escalation, isGroup: boolean, invocation: Invocation): readonly string[] {
  if (!isGroup) return answerCommands(escalation, invocation);
  const { escalationId, snapshot } = escalation;
  return (snapshot?.options ?? []).map((option) => `${invocation} answer ${escalationId} ${option} --all`);
}

/** The run and the stage of a question. An older hub does not name the run. */
export function titleOf({ escalationId, pipelineName, stageId }: Escalation): string {
  return pipelineName === "" ? escalationId : [pipelineName, stageId].filter(Boolean).join(", ");
}

/** The options as commands: a review fails by `reject --unfixable`. */
export function optionsOf({ kind, snapshot }: Escalation): readonly string[] {
  const options = snapshot?.options ?? [];
  if (kind !== EscalationKind.REVIEW) return options;
  return options.map((option) => (option === "fail" ? "reject --unfixable" : option));
}

/** Commands stay on one line, to be copied. */
export function renderCommands(
  terminal: Terminal,
  commands: readonly string[],
  indent: string,
): readonly string[] {
  if (commands.length === 0) return [];
  const lines = commands.map((command) => `${indent}    ${paint(terminal, piece(command, "busy"))}`);
  return [`${indent}  ${paint(terminal, piece("to go on", "quiet"))}`, ...lines];
}

export function describeKind(kind: EscalationKind): string {
  return (EscalationKind[kind] ?? "UNKNOWN").toLowerCase();
}
