import { type Escalation, EscalationKind } from "@baton/contract/forms";
import { describeSize } from "@baton/kernel/deciding";
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
  return groupByCause(escalations).flatMap(([escalation, ...others], at) => {
    const { escalationId, pipelineId, pipelineName, packId, stageId, riskTier, raisedAt, snapshot } =
      escalation;
    const heading = `${paint(look, piece(asks, "asks"))} ${paint(look, piece(titleOf(escalation), "strong"))}`;
    const { change } = snapshot ?? {};
    const facts = renderFacts(
      look,
      [
        ["stage", piece(pipelineName === "" ? stageId : "")],
        ["agent", piece(packId)],
        ["change", piece(change ? describeSize(change) : "")],
        ["raised", piece(describeWhen(look, raisedAt, nowMs))],
        ["question", piece(escalationId)],
        ["run", piece(pipelineId)],
        ["also", piece(others.length === 0 ? "" : describeOthers(others))],
        ["about", piece(describeKind(escalation.kind))],
        ["problem", piece(snapshot?.problem ?? "", "asks")],
        ["impact", piece(snapshot?.impact ?? "")],
        ["options", piece((snapshot?.options ?? []).join(", "))],
        ["advice", piece(asCalled(snapshot?.recommended ?? "", way))],
        ["risk", piece(describeRisk(riskTier))],
        ["answer", piece(snapshot?.resolution ?? "", "good")],
        ["answered by", piece(snapshot?.resolvedBy ?? "")],
      ],
      `${indent}  `,
    );
    const letIn = isAboutAgents(escalation) ? (shutOut.get(stageId) ?? []) : [];
    const ways = [
      ...letIn.map((name) => howToLetIn(name, way)),
      ...waysFor(escalation, others.length > 0, way),
    ];
    const commands = escalation.resolvedAt === undefined ? ways : [];
    return [...(at === 0 ? [] : [""]), indent + heading, ...facts, ...renderCommands(look, commands, indent)];
  });
}

/** Questions with the same cause are one: what helps one helps all. The first of each stands for the others. */
function groupByCause(
  escalations: readonly Escalation[],
): readonly (readonly [Escalation, ...Escalation[]])[] {
  const groups = new Map<string, [Escalation, ...Escalation[]]>();
  for (const one of escalations) {
    const key = one.cause === "" || one.resolvedAt ? one.escalationId : `cause ${one.cause}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

function describeOthers(others: readonly Escalation[]): string {
  const ids = others.slice(0, namedOthers).map(({ escalationId }) => escalationId);
  const more = others.length - ids.length;
  return `${others.length} more with the same cause: ${ids.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Questions of a group that are named besides the first. */
const namedOthers = 3;

function waysFor(escalation: Escalation, isGroup: boolean, way: AnswerWay): readonly string[] {
  if (!isGroup) return howToAnswer(escalation, way);
  const { escalationId, snapshot } = escalation;
  return (snapshot?.options ?? []).map((option) => `${way} answer ${escalationId} ${option} --all`);
}

/** What tells one question from another: the run and the stage that it is about. An older hub does not name the run. */
export function titleOf({ escalationId, pipelineName, stageId }: Escalation): string {
  return pipelineName === "" ? escalationId : [pipelineName, stageId].filter(Boolean).join(", ");
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
