import { EscalationKind, type GetAttemptResponse, type Pipeline } from "@baton/contract/forms";
import {
  askingRules,
  canSendBack,
  changeCommands,
  describeSize,
  ifAborted,
  ifAnswered,
  ifApproved,
  ifFailed,
  ifRejected,
  rejectionTargets,
  stagesUnderReview,
} from "@baton/kernel/deciding";
import { asCalled } from "../called-as.ts";
import type { Case } from "../hub/read-case.ts";
import { limits } from "../limits.ts";
import { textOf } from "../narration/beat.ts";
import { tellChecks } from "../narration/tell-checks.ts";
import { escapeLines, shorten } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Fact, renderFacts } from "../terminal/table.ts";
import { describeWhen } from "../terminal/time.ts";
import { wrap } from "../terminal/width.ts";
import { renderChange } from "./change-view.ts";
import { describeKind, titleOf } from "./escalation-list.ts";
import { type AnswerWay, howToChoose, howToFail, howToLetIn, isAboutAgents } from "./how-to-answer.ts";
import { describeRisk } from "./status.ts";

/** One question with everything that is needed to decide it, as the page shows it. */
export function renderCase(look: Look, one: Case, way: AnswerWay, nowMs: number): readonly string[] {
  const { question, pipeline, attempt, change, raw } = one;
  const { escalationId, pipelineId, stageId, kind, riskTier, snapshot, raisedAt, resolvedAt } = question;
  const size = change?.reason === "" ? change.size : snapshot?.change;
  const facts: readonly Fact[] = [
    ["agent", piece(question.packId)],
    ["change", piece(size ? describeSize(size) : "")],
    ["raised", piece(describeWhen(look, raisedAt, nowMs))],
    ["question", piece(escalationId)],
    ["run", piece([pipeline?.pipelineName, pipelineId].filter(Boolean).join(", "))],
    ["stage", piece(stageId)],
    ["work of", piece(workOf(one))],
    ["about", piece(describeKind(kind))],
    ["problem", piece(snapshot?.problem ?? "", "asks")],
    ["impact", piece(snapshot?.impact ?? "")],
    ["risk", piece(describeRisk(riskTier) || "not stated, so normal")],
    ["the rule", piece(askingRules[kind] ?? "")],
    ["options", piece((snapshot?.options ?? []).join(", "))],
    ["advice", piece(asCalled(snapshot?.recommended ?? "", way))],
    ["answer", piece(snapshot?.resolution ?? "", "good")],
    ["answered by", piece(snapshot?.resolvedBy ?? "")],
  ];
  const notices = (snapshot?.notices ?? []).flatMap((text) =>
    wrap(escapeLines(text).join(" "), Math.max(20, look.columns - 6)).map(
      (line, at) => `    ${at === 0 ? "- " : "  "}${paint(look, piece(line, "asks"))}`,
    ),
  );
  const evidence = attempt === undefined ? [] : evidenceOf(look, attempt, kind);
  const command = (line: string) => `    ${paint(look, piece(line, "busy"))}`;
  const said = renderRaw(look, raw, "    ");
  const commands = changeCommands(kind === EscalationKind.CLARIFICATION ? undefined : change);
  const isReview = kind === EscalationKind.REVIEW;
  return [
    `${paint(look, piece(signsOf(look).asks, "asks"))} ${paint(look, piece(titleOf(question), "strong"))}`,
    ...renderFacts(look, facts, "  "),
    ...(notices.length > 0 ? ["", title(look, "Notices"), ...notices] : []),
    ...(evidence.length > 0
      ? ["", title(look, "What is known"), ...renderFacts(look, evidence, "    ")]
      : []),
    ...(said.length > 0 ? ["", title(look, "What it said, which is no answer"), ...said] : []),
    ...(isReview && change
      ? ["", title(look, "Change under review"), ...renderChange(look, change, "    ")]
      : []),
    ...(commands.look.length > 0
      ? ["", title(look, "To look at the work"), ...commands.look.map(command)]
      : []),
    ...(isReview && commands.merge.length > 0
      ? ["", title(look, "To merge it"), ...commands.merge.map(command)]
      : []),
    ...(resolvedAt === undefined
      ? ["", title(look, "To go on"), ...renderWays(look, waysOut(one, way))]
      : []),
  ];
}

/** Whose work a review is about, where that is not the stage that asks for it. */
function workOf({ question: { kind, stageId }, pipeline }: Case): string {
  if (kind !== EscalationKind.REVIEW || pipeline === undefined) return "";
  const stages = stagesUnderReview(pipeline, stageId);
  return stages.includes(stageId) ? "" : stages.join(", ");
}

/** The beginning of what an agent said that was no answer: enough to see what went wrong. */
function renderRaw(look: Look, raw: string, indent: string): readonly string[] {
  const { ellipsis } = signsOf(look);
  const lines = escapeLines(raw.trim()).filter((line) => line.trim() !== "");
  const shown = lines.slice(0, limits.shownRawLines);
  const room = Math.min(limits.shownCharacters, look.columns - indent.length - 1);
  const painted = shown.map((line) => indent + paint(look, piece(shorten(line, room, ellipsis))));
  return lines.length > shown.length ? [...painted, indent + ellipsis] : painted;
}

function title(look: Look, text: string): string {
  return `  ${paint(look, piece(text, "strong"))}`;
}

/** What the agent says, what the hub saw of it, and what it touched. */
function evidenceOf(look: Look, attempt: GetAttemptResponse, kind: EscalationKind): readonly Fact[] {
  const { result, gate, summary } = attempt;
  const signs = signsOf(look);
  const checks = tellChecks(gate?.checks ?? [], true).flatMap((beat) =>
    beat.kind === "deed" ? beat.said.map((said) => ({ said, label: beat.label })) : [],
  );
  const said = result?.status?.summary || result?.status?.failureReason || "";
  const thought = kind === EscalationKind.CLARIFICATION ? (result?.response?.thought ?? "") : "";
  return [
    [said === "" ? "by" : "says", piece([summary?.packId, said].filter(Boolean).join(": "))],
    ["thinks", piece(thought)],
    ...checks.map(
      ({ said: one, label }): Fact => [
        label,
        piece(
          `${one.mark ? `${signs[one.mark]} ` : ""}${textOf(one, signs)}`,
          label === "caught" ? "bad" : "plain",
        ),
      ],
    ),
    ["touched", piece((result?.artifacts ?? []).map(({ path }) => path).join(", "))],
    ...(result?.contextOut?.risksIdentified ?? []).map((risk): Fact => ["risk", piece(risk, "asks")]),
    ...(result?.blockers ?? []).map(({ description }): Fact => ["blocked", piece(description, "asks")]),
  ];
}

interface WayOut {
  readonly command: string;
  readonly leadsTo: string;
}

/** Before an agent that is shut out is let in again, other ways may lead nowhere: it comes first. */
function waysOut(one: Case, way: AnswerWay): readonly WayOut[] {
  const { shutOut, question } = one;
  const letIn = (isAboutAgents(question) ? shutOut : []).map((name) => ({
    command: howToLetIn(name, way),
    leadsTo: `Lets ${name} in again, which was shut out; mend it first. Before that, it is sent nothing.`,
  }));
  return [...letIn, ...answersTo(one, way)];
}

function answersTo({ question, pipeline }: Case, way: AnswerWay): readonly WayOut[] {
  const { kind, escalationId: id, stageId, pipelineId, snapshot } = question;
  const abort = { command: `${way} runs abort ${pipelineId} --reason "..."`, leadsTo: ifAborted };
  if (kind === EscalationKind.CLARIFICATION)
    return [
      { command: `${way} answer ${id} "..."`, leadsTo: "The agent gets your answer, and goes on." },
      abort,
    ];
  if (kind !== EscalationKind.REVIEW)
    return (snapshot?.options ?? []).map((option) => ({
      command: howToChoose(question, option, way),
      leadsTo: ifAnswered(option),
    }));
  return [
    {
      command: `${way} approve ${id} --reason "..."`,
      leadsTo: pipeline ? ifApproved(pipeline, stageId) : "",
    },
    ...rejections(id, stageId, pipeline, way),
    { command: howToFail(id, way), leadsTo: pipeline ? ifFailed(pipeline, stageId) : "" },
    abort,
  ];
}

/** Without `--to` it goes back to the stage whose work is under review, if that is one. */
function rejections(
  id: string,
  stageId: string,
  pipeline: Pipeline | undefined,
  way: AnswerWay,
): readonly WayOut[] {
  const reject = (to: string) => `${way} reject ${id}${to} --reason "..." --instruct "..."`;
  if (pipeline === undefined) return [{ command: reject(""), leadsTo: "" }];
  const [first = stageId, ...others] = stagesUnderReview(pipeline, stageId);
  if (!canSendBack(pipeline)) return [{ command: reject(""), leadsTo: ifRejected(pipeline, stageId, first) }];
  return rejectionTargets(pipeline, stageId).map((target) => ({
    command: reject(target === first && others.length === 0 ? "" : ` --to ${target}`),
    leadsTo: ifRejected(pipeline, stageId, target),
  }));
}

/** Lines to be copied stay whole; what each leads to stands below it. */
function renderWays(look: Look, ways: readonly WayOut[]): readonly string[] {
  return ways.flatMap(({ command, leadsTo }) => [
    `    ${paint(look, piece(command, "busy"))}`,
    ...wrap(leadsTo, Math.max(20, look.columns - 8)).map(
      (line) => `        ${paint(look, piece(line, "quiet"))}`,
    ),
  ]);
}
