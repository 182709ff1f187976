import { type Escalation, type Pipeline, type Stage, StageStatus, type Usage } from "@baton/contract/forms";
import { count } from "../narration/count.ts";
import type { Doing } from "../narration/doing.ts";
import { escapeLine } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { describeElapsed, elapsedMs } from "../terminal/time.ts";
import { cut, widthOf } from "../terminal/width.ts";
import type { AnswerWay } from "./how-to-answer.ts";
import { renderDeed } from "./live-stages.ts";
import { showState } from "./status.ts";
import { describeUsage } from "./summary.ts";

/** Everything that is under way. */
export interface LiveFleet {
  readonly underWay: readonly Pipeline[];
  readonly questions: ReadonlyMap<string, readonly Escalation[]>;
  /** What each has spent, where the record is ours to read. */
  readonly spent: ReadonlyMap<string, Usage>;
  readonly doing: Doing;
  readonly isAway: boolean;
  /** How the inbox of this hub is reached. */
  readonly way: AnswerWay;
}

/** Rows of the picture that are no pipelines. */
const otherRows = 8;

/** Two rows a pipeline: where it stands, and what is done or asked there. Those that do not fit are counted. */
export function renderFleet(look: Look, fleet: LiveFleet, nowMs: number): readonly string[] {
  const { underWay, questions, isAway, way } = fleet;
  const quiet = (text: string) => paint(look, piece(text, "quiet"));
  const room = Math.max(1, Math.floor((look.rows - otherRows) / 2));
  const waiting = underWay.filter(({ pipelineId }) => questions.has(pipelineId)).length;
  const summary = [
    underWay.length === 0 ? "nothing is under way" : `${count(underWay.length, "run")} under way`,
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? "waits" : "wait"} for a person: ${way} inbox`] : []),
    ...(isAway ? ["the hub is away; trying again"] : ["Ctrl-C ends the watching"]),
  ];
  const shown = underWay.slice(0, room);
  const hidden = underWay.length - shown.length;
  return [
    "",
    ...shown.flatMap((pipeline) => renderOne(look, pipeline, fleet, nowMs)),
    ...(hidden > 0 ? [quiet(`  and ${hidden} more`)] : []),
    ...inLines(summary, look.columns - 1).map(quiet),
  ];
}

/** Beside each other where they fit, else below each other: none is cut off. */
function inLines(parts: readonly string[], room: number): readonly string[] {
  const whole = parts.join(" · ");
  return widthOf(whole) <= room ? [whole] : parts;
}

function renderOne(
  look: Look,
  pipeline: Pipeline,
  { questions, doing, spent }: LiveFleet,
  nowMs: number,
): readonly string[] {
  const signs = signsOf(look);
  const asked = questions.get(pipeline.pipelineId) ?? [];
  const { word, tone, sign } = showState(pipeline);
  const took = elapsedMs(pipeline.createdAt, undefined, nowMs);
  const working = pipeline.stages.filter(({ status }) => status === StageStatus.DISPATCHED);
  const name = escapeLine(pipeline.pipelineName || pipeline.pipelineId);
  const heading = [
    paint(look, piece(`${signs[sign]} ${word}`, tone)),
    paint(look, piece(cut(name, Math.max(10, look.columns - 40), signs.ellipsis), "strong")),
    paint(look, piece(working.map(nameOf).join(", "))),
    paint(look, piece(took === undefined ? "" : describeElapsed(took), "quiet")),
  ];
  const usage = paint(look, piece(describeUsage(spent.get(pipeline.pipelineId)), "quiet"));
  const line = heading.filter(Boolean).join("  ");
  const whole = usage === "" ? line : `${line}  ${usage}`;
  const [question] = asked;
  const problem = cut(escapeLine(question?.snapshot?.problem ?? ""), look.columns - 6, signs.ellipsis);
  const deed = working.map(({ stageId }) => doing.now(pipeline.pipelineId, stageId)).find(Boolean);
  return [
    // What it has spent is told where there is room for it.
    widthOf(whole) <= look.columns ? whole : line,
    question === undefined ? renderDeed(look, deed) : `    ${paint(look, piece(problem, "asks"))}`,
  ];
}

function nameOf({ stageName, stageId }: Stage): string {
  return stageName || stageId;
}
