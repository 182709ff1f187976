import { type Escalation, type Pipeline, type Stage, StageStatus, type Usage } from "@baton/contract/forms";
import type { Activities } from "../../story/activities.ts";
import { escapeLine } from "../../terminal/escape.ts";
import { count, describeElapsed, elapsedMs } from "../../terminal/format.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cut, widthOf } from "../../terminal/width.ts";
import type { Invocation } from "../inbox/answer-commands.ts";
import { describeUsage } from "../runs/summary.ts";
import { runStateLabel } from "../status.ts";
import { renderActivity } from "./live-stages.ts";

/** All runs that have not ended. */
export interface LiveFleet {
  readonly underWay: readonly Pipeline[];
  readonly questions: ReadonlyMap<string, readonly Escalation[]>;
  /** The usage of each run, if the key may read the audit record. */
  readonly spent: ReadonlyMap<string, Usage>;
  readonly activities: Activities;
  readonly isAway: boolean;
  /** How the printed commands call `baton`. */
  readonly invocation: Invocation;
}

/** Rows of the live view that are no runs. */
const otherRows = 8;

/** Two rows per run: its state, and its activity or question. Runs that do not fit are counted. */
export function renderFleet(terminal: Terminal, fleet: LiveFleet, nowMs: number): readonly string[] {
  const { underWay, questions, isAway, invocation } = fleet;
  const quiet = (text: string) => paint(terminal, piece(text, "quiet"));
  const room = Math.max(1, Math.floor((terminal.rows - otherRows) / 2));
  const waiting = underWay.filter(({ pipelineId }) => questions.has(pipelineId)).length;
  const summary = [
    underWay.length === 0 ? "nothing is under way" : `${count(underWay.length, "run")} under way`,
    ...(waiting > 0
      ? [`${waiting} ${waiting === 1 ? "waits" : "wait"} for a person: ${invocation} inbox`]
      : []),
    ...(isAway ? ["the hub is away; trying again"] : ["Ctrl-C ends the watching"]),
  ];
  const visible = underWay.slice(0, room);
  const hidden = underWay.length - visible.length;
  return [
    "",
    ...visible.flatMap((pipeline) => renderOne(terminal, pipeline, fleet, nowMs)),
    ...(hidden > 0 ? [quiet(`  and ${hidden} more`)] : []),
    ...inLines(summary, terminal.columns - 1).map(quiet),
  ];
}

/** On one line where they fit, else one per line, so that none is cut off. */
function inLines(parts: readonly string[], room: number): readonly string[] {
  const whole = parts.join(" · ");
  return widthOf(whole) <= room ? [whole] : parts;
}

function renderOne(
  terminal: Terminal,
  pipeline: Pipeline,
  { questions, activities, spent }: LiveFleet,
  nowMs: number,
): readonly string[] {
  const signs = signsOf(terminal);
  const asked = questions.get(pipeline.pipelineId) ?? [];
  const { word, tone, sign } = runStateLabel(pipeline);
  const took = elapsedMs(pipeline.createdAt, undefined, nowMs);
  const working = pipeline.stages.filter(({ status }) => status === StageStatus.DISPATCHED);
  const name = escapeLine(pipeline.pipelineName || pipeline.pipelineId);
  const heading = [
    paint(terminal, piece(`${signs[sign]} ${word}`, tone)),
    paint(terminal, piece(cut(name, Math.max(10, terminal.columns - 40), signs.ellipsis), "strong")),
    paint(terminal, piece(working.map(nameOf).join(", "))),
    paint(terminal, piece(took === undefined ? "" : describeElapsed(took), "quiet")),
  ];
  const usage = paint(terminal, piece(describeUsage(spent.get(pipeline.pipelineId)), "quiet"));
  const line = heading.filter(Boolean).join("  ");
  const whole = usage === "" ? line : `${line}  ${usage}`;
  const [question] = asked;
  const problem = cut(escapeLine(question?.snapshot?.problem ?? ""), terminal.columns - 6, signs.ellipsis);
  const eventLine = working
    .map(({ stageId }) => activities.current(pipeline.pipelineId, stageId))
    .find(Boolean);
  return [
    // The usage is omitted where it does not fit.
    widthOf(whole) <= terminal.columns ? whole : line,
    question === undefined
      ? renderActivity(terminal, eventLine)
      : `    ${paint(terminal, piece(problem, "asks"))}`,
  ];
}

function nameOf({ stageName, stageId }: Stage): string {
  return stageName || stageId;
}
