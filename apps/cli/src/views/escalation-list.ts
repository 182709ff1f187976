import { type Escalation, EscalationKind } from "@baton/contract/forms";
import { asCalled } from "../called-as.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { renderFacts } from "../terminal/table.ts";
import { describeWhen } from "../terminal/time.ts";
import { type AnswerWay, howToAnswer, howToLetIn, isAboutAgents } from "./how-to-answer.ts";
import { describeRisk } from "./status.ts";

/** Questions to people, each with what they need to answer it. */
export function renderEscalations(
  look: Look,
  escalations: readonly Escalation[],
  way: AnswerWay,
  nowMs: number,
  indent = "",
  shutOut: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly string[] {
  const { asks } = signsOf(look);
  return escalations.flatMap((escalation, at) => {
    const { escalationId, pipelineId, stageId, riskTier, raisedAt, snapshot } = escalation;
    const heading = `${paint(look, piece(asks, "asks"))} ${paint(look, piece(escalationId, "strong"))}`;
    const facts = renderFacts(
      look,
      [
        ["about", piece(describeKind(escalation.kind))],
        ["problem", piece(snapshot?.problem ?? "", "asks")],
        ["impact", piece(snapshot?.impact ?? "")],
        ["options", piece((snapshot?.options ?? []).join(", "))],
        ["advice", piece(asCalled(snapshot?.recommended ?? "", way))],
        ["run", piece(pipelineId)],
        ["stage", piece(stageId)],
        ["risk", piece(describeRisk(riskTier))],
        ["raised", piece(describeWhen(look, raisedAt, nowMs))],
        ["answer", piece(snapshot?.resolution ?? "", "good")],
        ["answered by", piece(snapshot?.resolvedBy ?? "")],
      ],
      `${indent}  `,
    );
    const letIn = isAboutAgents(escalation) ? (shutOut.get(stageId) ?? []) : [];
    const ways = [...letIn.map((name) => howToLetIn(name, way)), ...howToAnswer(escalation, way)];
    const commands = escalation.resolvedAt === undefined ? ways : [];
    return [...(at === 0 ? [] : [""]), indent + heading, ...facts, ...renderCommands(look, commands, indent)];
  });
}

/** Lines to be copied: they stay whole. */
export function renderCommands(look: Look, commands: readonly string[], indent: string): readonly string[] {
  if (commands.length === 0) return [];
  const lines = commands.map((command) => `${indent}    ${paint(look, piece(command, "busy"))}`);
  return [`${indent}  ${paint(look, piece("to go on", "quiet"))}`, ...lines];
}

export function describeKind(kind: EscalationKind): string {
  return (EscalationKind[kind] ?? "UNKNOWN").toLowerCase();
}
