import { type Pipeline, PipelineStatus, type Stage, type Transition } from "@baton/contract/forms";
import type { FailedCheck } from "../hub/failed-checks.ts";
import type { Seen } from "../hub/standing.ts";
import { hasEnded } from "../hub/standing.ts";
import type { SentBack, WentBack } from "../hub/went-back.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Fact, renderFacts } from "../terminal/table.ts";
import { describeElapsed, describeWhen, elapsedMs } from "../terminal/time.ts";
import { renderCommands, renderEscalations } from "./escalation-list.ts";
import { renderFailedChecks } from "./failed-checks.ts";
import { type AnswerWay, howToResume } from "./how-to-answer.ts";
import { type Ended, renderResult } from "./result.ts";
import { renderStages } from "./stage-table.ts";
import { showState } from "./status.ts";

/** A pipeline with what has to be looked up besides it. */
export interface Shown extends Seen, WentBack, Ended {
  /** What did not pass of stages that are not done. */
  readonly failed: readonly FailedCheck[];
  /** By the stage that is asked about: agents that get nothing before they are let in again. */
  readonly shutOut: ReadonlyMap<string, readonly string[]>;
}

/** One pipeline with everything a person asks first. */
export function renderPipeline(
  { look, way }: { readonly look: Look; readonly way: AnswerWay },
  shown: Shown,
  nowMs: number,
): readonly string[] {
  const { pipeline, questions, failed, sentBack, rewinds, shutOut } = shown;
  const asked =
    questions.length > 0 || pipeline.status !== PipelineStatus.PAUSED
      ? renderEscalations(look, questions, way, nowMs, "    ", shutOut)
      : renderCommands(look, [howToResume(pipeline.pipelineId, way)], "  ");
  return [
    renderHeading(look, pipeline, nowMs),
    ...(hasEnded(pipeline) ? [...section(look, "Result", renderResult(look, shown)), ""] : []),
    ...renderFacts(look, [...factsOf(look, pipeline, nowMs), ...rewoundOf(look, rewinds, nowMs)], "  "),
    "",
    ...renderStages(look, pipeline, nowMs, "  "),
    ...section(look, "Dispatches", renderFacts(look, pipeline.stages.flatMap(dispatchOf), "    ")),
    ...section(look, "Commits", renderFacts(look, pipeline.stages.flatMap(commitOf), "    ")),
    ...section(look, "What was sent back", renderFacts(look, sentBack.map(backOf), "    ")),
    ...section(look, "What did not pass", renderFailedChecks(look, failed, "    ")),
    ...section(look, "Waits for a person", asked),
  ];
}

/** Sign, name, status and age in one line. */
export function renderHeading(look: Look, pipeline: Pipeline, nowMs: number): string {
  const { word, tone, sign } = showState(pipeline);
  const until = hasEnded(pipeline) ? (pipeline.summary?.timing?.finishedAt ?? pipeline.updatedAt) : undefined;
  const took = elapsedMs(pipeline.createdAt, until, nowMs);
  return [
    paint(look, piece(`${signsOf(look)[sign]} ${word}`, tone)),
    paint(look, piece(pipeline.pipelineName || pipeline.templateId || pipeline.pipelineId, "strong")),
    paint(look, piece(took === undefined ? "" : describeElapsed(took), "quiet")),
  ]
    .filter(Boolean)
    .join("  ");
}

function factsOf(look: Look, pipeline: Pipeline, nowMs: number): readonly Fact[] {
  return [
    ["run", piece(pipeline.pipelineId)],
    ["template", piece(pipeline.templateId)],
    ["task", piece(pipeline.sourceTaskId)],
    ["labels", piece(pipeline.labels.map(({ name, value }) => `${name}=${value}`).join(", "))],
    ["origin", piece(describeOrigin(pipeline))],
    ["created", piece(describeWhen(look, pipeline.createdAt, nowMs))],
    ["reason", piece(hasEnded(pipeline) ? "" : pipeline.statusReason)],
    ["trace", piece(pipeline.trace?.traceId ?? "", "quiet")],
  ];
}

/** The last time that it was taken back: what it came to before counts no more, and is among its transitions. */
function rewoundOf(look: Look, rewinds: readonly Transition[], nowMs: number): readonly Fact[] {
  const last = rewinds.at(-1);
  if (!last) return [];
  const { rewoundTo, at, by, reason } = last;
  const times = rewinds.length === 1 ? "" : `${rewinds.length} times, the last time `;
  const text = `${times}to revision ${rewoundTo}, ${describeWhen(look, at, nowMs)}, by ${by}: ${reason}`;
  return [["rewound", piece(text, "asks")]];
}

/** Where it comes from, if it begins with a stage of another one. */
function describeOrigin({ origin }: Pipeline): string {
  if (!origin) return "";
  const { pipelineId, stageId, revision, reason } = origin;
  return `${pipelineId} at revision ${revision}, from ${stageId}: ${reason}`;
}

/** What was kept of a stage, as git is asked for it. */
function commitOf({ stageId, commit, workspace }: Stage): readonly Fact[] {
  return commit === ""
    ? []
    : [[stageId, piece([commit.slice(0, 12), workspace?.branch ?? ""].join("  ").trim())]];
}

function backOf({ stageId, attempt, reason }: SentBack): Fact {
  return [`${stageId}, attempt ${attempt}`, piece(reason, "asks")];
}

/** What `baton why` is asked with. */
function dispatchOf({ stageId, dispatchId }: Stage): readonly Fact[] {
  return dispatchId === "" ? [] : [[stageId, piece(dispatchId)]];
}

function section(look: Look, title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `  ${paint(look, piece(title, "strong"))}`, ...lines];
}
