import {
  AlignmentVerdict,
  GuardrailDecision,
  type Pipeline,
  PipelineStatus,
  PolicyCheckStatus,
  type Stage,
  type Transition,
} from "@baton/contract/forms";
import type { FailedCheck } from "../../queries/failed-checks.ts";
import type { RunSteps } from "../../queries/read-steps.ts";
import type { RunState } from "../../queries/run-state.ts";
import { hasEnded } from "../../queries/run-state.ts";
import type { Setback, Setbacks } from "../../queries/setbacks.ts";
import { describeElapsed, describeWhen, elapsedMs } from "../../terminal/format.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import { type Fact, renderFacts } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type Invocation, resumeCommand } from "../inbox/answer-commands.ts";
import { renderCommands, renderEscalations } from "../inbox/escalation-list.ts";
import { runStateLabel } from "../status.ts";
import { renderFailedChecks } from "./failed-checks.ts";
import { type Ended, renderResult } from "./result.ts";
import { renderStages } from "./stage-table.ts";
import { renderSteps } from "./step-table.ts";

/** A run with everything that is queried besides it. */
export interface RunDetails extends RunState, Setbacks, RunSteps, Ended {
  /** Failed checks of incomplete stages. */
  readonly failed: readonly FailedCheck[];
  /** Quarantined agents, by the stage of a question. */
  readonly quarantined: ReadonlyMap<string, readonly string[]>;
}

/** One run with everything that a person wants to know first. */
export function renderPipeline(
  { terminal, invocation }: { readonly terminal: Terminal; readonly invocation: Invocation },
  details: RunDetails,
  nowMs: number,
): readonly string[] {
  const { pipeline, questions, failed, setbacks, rewinds, quarantined } = details;
  const asked =
    questions.length > 0 || pipeline.status !== PipelineStatus.PAUSED
      ? renderEscalations(terminal, questions, invocation, nowMs, "    ", quarantined)
      : renderCommands(terminal, [resumeCommand(pipeline.pipelineId, invocation)], "  ");
  return [
    renderHeading(terminal, pipeline, nowMs),
    ...(hasEnded(pipeline) ? [...section(terminal, "Result", renderResult(terminal, details)), ""] : []),
    ...renderFacts(
      terminal,
      [...factsOf(terminal, pipeline, nowMs), ...rewoundOf(terminal, rewinds, nowMs)],
      "  ",
    ),
    "",
    ...renderStages(terminal, pipeline, nowMs, "  "),
    ...section(terminal, "Dispatches", renderFacts(terminal, pipeline.stages.flatMap(dispatchOf), "    ")),
    ...section(terminal, "Commits", renderFacts(terminal, pipeline.stages.flatMap(commitOf), "    ")),
    ...section(terminal, "Guardrails", renderFacts(terminal, pipeline.stages.flatMap(guardrailsOf), "    ")),
    ...section(terminal, "Alignment", renderFacts(terminal, alignmentOf(pipeline), "    ")),
    ...section(terminal, "Steps", renderSteps(terminal, details, "    ")),
    ...section(terminal, "What was sent back", renderFacts(terminal, setbacks.map(setbackFact), "    ")),
    ...section(terminal, "What did not pass", renderFailedChecks(terminal, failed, "    ")),
    ...section(terminal, "Waits for a person", asked),
  ];
}

/** Sign, name, status and age in one line. */
export function renderHeading(terminal: Terminal, pipeline: Pipeline, nowMs: number): string {
  const { word, tone, sign } = runStateLabel(pipeline);
  const until = hasEnded(pipeline) ? (pipeline.summary?.timing?.finishedAt ?? pipeline.updatedAt) : undefined;
  const took = elapsedMs(pipeline.createdAt, until, nowMs);
  return [
    paint(terminal, piece(`${signsOf(terminal)[sign]} ${word}`, tone)),
    paint(terminal, piece(pipeline.pipelineName || pipeline.templateId || pipeline.pipelineId, "strong")),
    paint(terminal, piece(took === undefined ? "" : describeElapsed(took), "quiet")),
  ]
    .filter(Boolean)
    .join("  ");
}

function factsOf(terminal: Terminal, pipeline: Pipeline, nowMs: number): readonly Fact[] {
  return [
    ["run", piece(pipeline.pipelineId)],
    ["template", piece(pipeline.templateId)],
    ["task", piece(pipeline.sourceTaskId)],
    ["labels", piece(pipeline.labels.map(({ name, value }) => `${name}=${value}`).join(", "))],
    ["origin", piece(describeOrigin(pipeline))],
    ["created", piece(describeWhen(terminal, pipeline.createdAt, nowMs))],
    ["reason", piece(hasEnded(pipeline) ? "" : pipeline.statusReason)],
    ["trace", piece(pipeline.trace?.traceId ?? "", "quiet")],
  ];
}

/** The last rewind: an earlier end of the run is only among its transitions. */
function rewoundOf(terminal: Terminal, rewinds: readonly Transition[], nowMs: number): readonly Fact[] {
  const last = rewinds.at(-1);
  if (!last) return [];
  const { rewoundTo, at, by, reason } = last;
  const times = rewinds.length === 1 ? "" : `${rewinds.length} times, the last time `;
  const text = `${times}to revision ${rewoundTo}, ${describeWhen(terminal, at, nowMs)}, by ${by}: ${reason}`;
  return [["rewound", piece(text, "asks")]];
}

/** The run and stage that a rerun starts from. */
function describeOrigin({ origin }: Pipeline): string {
  if (!origin) return "";
  const { pipelineId, stageId, revision, reason } = origin;
  return `${pipelineId} at revision ${revision}, from ${stageId}: ${reason}`;
}

/** The commit and branch of a stage's accepted work. */
function commitOf({ stageId, commit, workspace }: Stage): readonly Fact[] {
  return commit === ""
    ? []
    : [[stageId, piece([commit.slice(0, 12), workspace?.branch ?? ""].join("  ").trim())]];
}

/** Verdicts on the last answer: one line for each that decided something, or one for all that passed. */
function guardrailsOf({ stageId, guardrails }: Stage): readonly Fact[] {
  const decided = guardrails.filter(({ decision }) => decision !== GuardrailDecision.PASSED);
  if (decided.length === 0)
    return guardrails.length === 0
      ? []
      : [[stageId, piece(`passed: ${guardrails.map(({ name }) => name).join(", ")}`)]];
  return decided.map(({ name, decision, reason, path }): Fact => {
    const word = decision === GuardrailDecision.REDACTED ? "redacted" : "blocked";
    return [stageId, piece(`${name} ${word} the answer: ${reason}${path && ` (${path})`}`, "asks")];
  });
}

/** The verdict about the constitution, and what was found. */
function alignmentOf({ alignment }: Pipeline): readonly Fact[] {
  if (!alignment) return [];
  const { verdict, violations, checks, decidedBy, decisionReason } = alignment;
  const word = (AlignmentVerdict[verdict] ?? "").toLowerCase().replaceAll("_", " ");
  const by = decidedBy === "" ? "" : `, decided by ${decidedBy}: ${decisionReason}`;
  const open = checks.filter(({ status }) => status === PolicyCheckStatus.ESCALATE);
  return [
    ["verdict", piece(`${verdict === 0 ? "not decided" : word}${by}`)],
    ...violations.map(({ principle, evidence, path }): Fact => {
      return [principle, piece(`${evidence}${path && ` (${path})`}`, "asks")];
    }),
    ...open.map(({ principle, notes }): Fact => [principle, piece(`could not be checked: ${notes}`, "asks")]),
  ];
}

function setbackFact({ stageId, attempt, reason }: Setback): Fact {
  return [`${stageId}, attempt ${attempt}`, piece(reason, "asks")];
}

/** The dispatch id, which `baton why` takes. */
function dispatchOf({ stageId, dispatchId }: Stage): readonly Fact[] {
  return dispatchId === "" ? [] : [[stageId, piece(dispatchId)]];
}

function section(terminal: Terminal, title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `  ${paint(terminal, piece(title, "strong"))}`, ...lines];
}
