import { EscalationKind, type GetAttemptResponse, StageStatus } from "@baton/contract";
import { askingRules, before, ifAborted, ifAnswered, ifApproved, ifRejected } from "@baton/kernel/deciding";
import type { Case } from "../hub/read-case.ts";
import { textOf } from "../narration/beat.ts";
import { tellChecks } from "../narration/tell-checks.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Fact, renderFacts } from "../terminal/table.ts";
import { describeWhen } from "../terminal/time.ts";
import { wrap } from "../terminal/width.ts";
import { describeKind } from "./escalation-list.ts";
import type { AnswerWay } from "./how-to-answer.ts";
import { describeRisk } from "./status.ts";

/** One question with everything that is needed to decide it, as the page shows it. */
export function renderCase(look: Look, one: Case, way: AnswerWay, nowMs: number): readonly string[] {
  const { question, pipeline, attempt } = one;
  const { escalationId, pipelineId, stageId, kind, riskTier, snapshot, raisedAt, resolvedAt } = question;
  const facts: readonly Fact[] = [
    ["about", piece(describeKind(kind))],
    ["problem", piece(snapshot?.problem ?? "", "asks")],
    ["impact", piece(snapshot?.impact ?? "")],
    ["run", piece([pipeline?.pipelineName, pipelineId].filter(Boolean).join(", "))],
    ["stage", piece(stageId)],
    ["risk", piece(describeRisk(riskTier) || "not stated, so normal")],
    ["raised", piece(describeWhen(look, raisedAt, nowMs))],
    ["asked by", piece(askingRules[kind] ?? "")],
    ["options", piece((snapshot?.options ?? []).join(", "))],
    ["advice", piece(snapshot?.recommended ?? "")],
    ["answer", piece(snapshot?.resolution ?? "", "good")],
    ["answered by", piece(snapshot?.resolvedBy ?? "")],
  ];
  const evidence = attempt === undefined ? [] : evidenceOf(look, attempt, kind);
  return [
    `${paint(look, piece(signsOf(look).asks, "asks"))} ${paint(look, piece(escalationId, "strong"))}`,
    ...renderFacts(look, facts, "  "),
    ...(evidence.length > 0
      ? ["", title(look, "What is known"), ...renderFacts(look, evidence, "    ")]
      : []),
    ...(resolvedAt === undefined
      ? ["", title(look, "To go on"), ...renderWays(look, waysOut(one, way))]
      : []),
  ];
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

function waysOut({ question, pipeline }: Case, way: AnswerWay): readonly WayOut[] {
  const { kind, escalationId: id, stageId, pipelineId, snapshot } = question;
  const abort = { command: `${way} pipeline abort ${pipelineId} --reason "..."`, leadsTo: ifAborted };
  if (kind === EscalationKind.CLARIFICATION)
    return [
      { command: `${way} answer ${id} "..."`, leadsTo: "The agent gets your answer, and goes on." },
      abort,
    ];
  if (kind !== EscalationKind.REVIEW)
    return (snapshot?.options ?? []).map((option) => ({
      command: steers.has(option)
        ? `${way} pipeline ${option} ${pipelineId} --reason "..."`
        : `${way} answer ${id} ${quoted(option)}`,
      leadsTo: ifAnswered(option),
    }));
  const isDone = (stage: string) =>
    pipeline?.stages.find((one) => one.stageId === stage)?.status === StageStatus.COMPLETED;
  const earlier = pipeline === undefined ? [] : before(pipeline.stages, stageId).filter(isDone).toReversed();
  return [
    {
      command: `${way} approve ${id} --reason "..."`,
      leadsTo: pipeline ? ifApproved(pipeline, stageId) : "",
    },
    {
      command: `${way} reject ${id} --reason "..." --instruct "..."`,
      leadsTo: pipeline ? ifRejected(pipeline, stageId) : "",
    },
    ...earlier.map((target) => ({
      command: `${way} reject ${id} --to ${target} --reason "..." --instruct "..."`,
      leadsTo: pipeline ? ifRejected(pipeline, target) : "",
    })),
    abort,
  ];
}

/** What is done to the pipeline as a whole. */
const steers: ReadonlySet<string> = new Set(["abort", "resume"]);

function quoted(option: string): string {
  return option.includes(" ") ? `"${option}"` : option;
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
