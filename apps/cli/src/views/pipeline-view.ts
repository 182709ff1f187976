import type { Pipeline, Stage } from "@baton/contract";
import type { Seen } from "../hub/standing.ts";
import { hasEnded } from "../hub/standing.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Fact, renderFacts } from "../terminal/table.ts";
import { describeElapsed, describeWhen, elapsedMs } from "../terminal/time.ts";
import { renderEscalations } from "./escalation-list.ts";
import { renderStages } from "./stage-table.ts";
import { showPipelineStatus } from "./status.ts";
import { renderSummary } from "./summary.ts";

/** One pipeline with everything a person asks first. */
export function renderPipeline(look: Look, { pipeline, questions }: Seen, nowMs: number): readonly string[] {
  return [
    renderHeading(look, pipeline, nowMs),
    ...renderFacts(look, factsOf(look, pipeline, nowMs), "  "),
    "",
    ...renderStages(look, pipeline, nowMs, "  "),
    ...section(look, "Dispatches", renderFacts(look, pipeline.stages.flatMap(dispatchOf), "    ")),
    ...section(look, "Waits for a person", renderEscalations(look, questions, nowMs, "    ")),
    ...section(look, "What came of it", renderSummary(look, pipeline, "    ")),
  ];
}

/** Sign, name, status and age in one line. */
export function renderHeading(look: Look, pipeline: Pipeline, nowMs: number): string {
  const { word, tone, sign } = showPipelineStatus(pipeline.status);
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
    ["pipeline", piece(pipeline.pipelineId)],
    ["template", piece(pipeline.templateId)],
    ["task", piece(pipeline.sourceTaskId)],
    ["created", piece(describeWhen(look, pipeline.createdAt, nowMs))],
    ["reason", piece(pipeline.statusReason)],
    ["trace", piece(pipeline.trace?.traceId ?? "", "quiet")],
  ];
}

/** What `baton why` is asked with. */
function dispatchOf({ stageId, dispatchId }: Stage): readonly Fact[] {
  return dispatchId === "" ? [] : [[stageId, piece(dispatchId)]];
}

function section(look: Look, title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `  ${paint(look, piece(title, "strong"))}`, ...lines];
}
