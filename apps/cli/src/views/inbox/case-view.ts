import { EscalationKind, type GetAttemptResponse, type Pipeline } from "@baton/contract/forms";
import {
  canSendBack,
  changeCommands,
  describeSize,
  escalationRules,
  ifAborted,
  ifAnswered,
  ifApproved,
  ifFailed,
  ifRejected,
  rejectionTargets,
  stagesUnderReview,
} from "@baton/kernel/deciding";
import { withInvocation } from "../../invocation.ts";
import { limits } from "../../limits.ts";
import type { Case, Rejection } from "../../queries/read-case.ts";
import { describeChecks } from "../../story/describe-checks.ts";
import { textOf } from "../../story/story-line.ts";
import { escapeLines, shorten } from "../../terminal/escape.ts";
import { describeWhen } from "../../terminal/format.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import { type Fact, renderFacts } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrap } from "../../terminal/width.ts";
import { describeRisk } from "../status.ts";
import {
  concernsAgents,
  failCommand,
  type Invocation,
  optionCommand,
  restoreCommand,
} from "./answer-commands.ts";
import { renderChange } from "./change-view.ts";
import { describeKind, optionsOf, titleOf } from "./escalation-list.ts";

/** One question with everything that is needed to decide it, as on the page. */
export function renderCase(
  terminal: Terminal,
  one: Case,
  invocation: Invocation,
  nowMs: number,
): readonly string[] {
  const { question, pipeline, attempt, change, raw } = one;
  const { escalationId, pipelineId, stageId, kind, riskTier, snapshot, raisedAt, resolvedAt } = question;
  const size = change?.reason === "" ? change.size : snapshot?.change;
  const facts: readonly Fact[] = [
    ["agent", piece(question.packId)],
    ["change", piece(size ? describeSize(size) : "")],
    ["raised", piece(describeWhen(terminal, raisedAt, nowMs))],
    ["question", piece(escalationId)],
    ["run", piece([pipeline?.pipelineName, pipelineId].filter(Boolean).join(", "))],
    ["stage", piece(stageId)],
    ["work of", piece(workOf(one))],
    ["about", piece(describeKind(kind))],
    ["problem", piece(snapshot?.problem ?? "", "asks")],
    ["impact", piece(snapshot?.impact ?? "")],
    ["risk", piece(describeRisk(riskTier) || "not stated, so normal")],
    ["the rule", piece(escalationRules[kind] ?? "")],
    ["options", piece(optionsOf(question).join(", "))],
    ["advice", piece(withInvocation(snapshot?.recommended ?? "", invocation))],
    ["answer", piece(snapshot?.resolution ?? "", "good")],
    ["answered by", piece(snapshot?.resolvedBy ?? "")],
    ["answered", piece(describeWhen(terminal, resolvedAt, nowMs))],
  ];
  const notices = (snapshot?.notices ?? []).flatMap((text) =>
    wrap(escapeLines(text).join(" "), Math.max(20, terminal.columns - 6)).map(
      (line, at) => `    ${at === 0 ? "- " : "  "}${paint(terminal, piece(line, "asks"))}`,
    ),
  );
  const evidence = attempt === undefined ? [] : evidenceOf(terminal, attempt, kind);
  const command = (line: string) => `    ${paint(terminal, piece(line, "busy"))}`;
  const statement = renderRaw(terminal, raw, "    ");
  const commands = changeCommands(kind === EscalationKind.CLARIFICATION ? undefined : change);
  const isReview = kind === EscalationKind.REVIEW;
  return [
    `${paint(terminal, resolvedAt ? piece(signsOf(terminal).done, "good") : piece(signsOf(terminal).asks, "asks"))} ${paint(terminal, piece(titleOf(question), "strong"))}`,
    ...renderFacts(terminal, facts, "  "),
    ...(notices.length > 0 ? ["", sectionTitle(terminal, "Notices"), ...notices] : []),
    ...(evidence.length > 0
      ? ["", sectionTitle(terminal, "What is known"), ...renderFacts(terminal, evidence, "    ")]
      : []),
    ...(one.withheld ? renderWithheld(terminal, one.withheld) : []),
    ...one.rejections.flatMap((rejection) => renderRejection(terminal, rejection, command)),
    ...(statement.length > 0
      ? ["", sectionTitle(terminal, "Its output, which is no answer"), ...statement]
      : []),
    ...(isReview && change
      ? ["", sectionTitle(terminal, "Change under review"), ...renderChange(terminal, change, "    ")]
      : []),
    ...(commands.look.length > 0
      ? ["", sectionTitle(terminal, "To look at the work"), ...commands.look.map(command)]
      : []),
    ...(isReview && commands.merge.length > 0
      ? ["", sectionTitle(terminal, "Merge after approval"), ...commands.merge.map(command)]
      : []),
    ...(resolvedAt === undefined
      ? ["", sectionTitle(terminal, "To go on"), ...renderChoices(terminal, choicesFor(one, invocation))]
      : []),
  ];
}

/** The answer that nobody else sees, with the checks that fired. */
function renderWithheld(
  terminal: Terminal,
  { result, alignment }: NonNullable<Case["withheld"]>,
): readonly string[] {
  const { message = "", data } = result?.response ?? {};
  const facts: readonly Fact[] = [
    ["message", piece(message || (result?.status?.summary ?? ""))],
    ["data", piece(data ? JSON.stringify(data) : "")],
    ...(alignment?.violations ?? []).map(({ principle, evidence, path }): Fact => {
      return [principle, piece(`${evidence}${path && ` (${path})`}`, "asks")];
    }),
    ...(alignment?.consultations ?? []).map(
      ({ packId, notes }): Fact => [packId || "consulted", piece(notes)],
    ),
  ];
  return ["", sectionTitle(terminal, "Withheld until you decide"), ...renderFacts(terminal, facts, "    ")];
}

/** An earlier rejection, and the command that shows what changed since. */
function renderRejection(
  terminal: Terminal,
  { stageId, attempt, instructions: [reason = "", ...instructions], command: since }: Rejection,
  command: (line: string) => string,
): readonly string[] {
  const facts: readonly Fact[] = [
    ["reason", piece(reason, "asks")],
    ...instructions.map((text): Fact => ["instruction", piece(text)]),
  ];
  return [
    "",
    sectionTitle(terminal, `Attempt ${attempt} of ${stageId} was sent back`),
    ...renderFacts(terminal, facts, "    "),
    ...(since === "" ? [] : [sectionTitle(terminal, "To see what changed since"), command(since)]),
  ];
}

/** The stages under review, where they differ from the stage that asks for it. */
function workOf({ question: { kind, stageId }, pipeline }: Case): string {
  if (kind !== EscalationKind.REVIEW || pipeline === undefined) return "";
  const stages = stagesUnderReview(pipeline, stageId);
  return stages.includes(stageId) ? "" : stages.join(", ");
}

/** The beginning of an invalid answer. */
function renderRaw(terminal: Terminal, raw: string, indent: string): readonly string[] {
  const { ellipsis } = signsOf(terminal);
  const lines = escapeLines(raw.trim()).filter((line) => line.trim() !== "");
  const visible = lines.slice(0, limits.rawAnswerLines);
  const room = Math.min(limits.lineCharacters, terminal.columns - indent.length - 1);
  const painted = visible.map((line) => indent + paint(terminal, piece(shorten(line, room, ellipsis))));
  return lines.length > visible.length ? [...painted, indent + ellipsis] : painted;
}

function sectionTitle(terminal: Terminal, text: string): string {
  return `  ${paint(terminal, piece(text, "strong"))}`;
}

/** What the agent says, what the hub checked, and the files it touched. */
function evidenceOf(terminal: Terminal, attempt: GetAttemptResponse, kind: EscalationKind): readonly Fact[] {
  const { result, gate, summary } = attempt;
  const signs = signsOf(terminal);
  const checks = describeChecks(gate?.checks ?? [], true).flatMap((storyLine) =>
    storyLine.kind === "event"
      ? storyLine.statements.map((statement) => ({ statement, label: storyLine.label }))
      : [],
  );
  const statement = result?.status?.summary || result?.status?.failureReason || "";
  const thought = kind === EscalationKind.CLARIFICATION ? (result?.response?.thought ?? "") : "";
  const facts: readonly Fact[] = [
    [statement === "" ? "by" : "says", piece([summary?.packId, statement].filter(Boolean).join(": "))],
    ["thinks", piece(thought)],
    ...checks.map(
      ({ statement: one, label }): Fact => [
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
  // The name of the agent alone is no evidence.
  const isEmpty = facts.every(([label, value]) => label === "by" || value.text === "");
  return isEmpty ? [] : facts;
}

interface Choice {
  readonly command: string;
  readonly leadsTo: string;
}

/** Restoring quarantined agents comes first: until then other choices may have no effect. */
function choicesFor(one: Case, invocation: Invocation): readonly Choice[] {
  const { quarantined, question } = one;
  const restore = (concernsAgents(question) ? quarantined : []).map((name) => ({
    command: restoreCommand(name, invocation),
    leadsTo: `Restores ${name} from quarantine; fix it first. Until then it is sent nothing.`,
  }));
  return [...restore, ...answerChoices(one, invocation)];
}

function answerChoices({ question, pipeline }: Case, invocation: Invocation): readonly Choice[] {
  const { kind, escalationId: id, stageId, pipelineId, snapshot } = question;
  const abort = { command: `${invocation} runs abort ${pipelineId} --reason "..."`, leadsTo: ifAborted };
  if (kind === EscalationKind.CLARIFICATION)
    return [
      { command: `${invocation} answer ${id} "..."`, leadsTo: "The agent gets your answer, and goes on." },
      abort,
    ];
  if (kind !== EscalationKind.REVIEW)
    return (snapshot?.options ?? []).map((option) => ({
      command: optionCommand(question, option, invocation),
      leadsTo: ifAnswered(option),
    }));
  return [
    {
      command: `${invocation} approve ${id} --reason "..."`,
      leadsTo: pipeline ? ifApproved(pipeline, stageId) : "",
    },
    ...rejections(id, stageId, pipeline, invocation),
    { command: failCommand(id, invocation), leadsTo: pipeline ? ifFailed(pipeline, stageId) : "" },
    abort,
  ];
}

/** Without `--to` the work goes back to the only stage under review. */
function rejections(
  id: string,
  stageId: string,
  pipeline: Pipeline | undefined,
  invocation: Invocation,
): readonly Choice[] {
  const reject = (to: string) => `${invocation} reject ${id}${to} --reason "..." --instruct "..."`;
  if (pipeline === undefined) return [{ command: reject(""), leadsTo: "" }];
  const [first = stageId, ...others] = stagesUnderReview(pipeline, stageId);
  if (!canSendBack(pipeline)) return [{ command: reject(""), leadsTo: ifRejected(pipeline, stageId, first) }];
  return rejectionTargets(pipeline, stageId).map((target) => ({
    command: reject(target === first && others.length === 0 ? "" : ` --to ${target}`),
    leadsTo: ifRejected(pipeline, stageId, target),
  }));
}

/** Commands stay on one line, to be copied; the consequence is below. */
function renderChoices(terminal: Terminal, choices: readonly Choice[]): readonly string[] {
  return choices.flatMap(({ command, leadsTo }) => [
    `    ${paint(terminal, piece(command, "busy"))}`,
    ...wrap(leadsTo, Math.max(20, terminal.columns - 8)).map(
      (line) => `        ${paint(terminal, piece(line, "quiet"))}`,
    ),
  ]);
}
