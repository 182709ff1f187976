import { type Pipeline, type Stage, StageStatus } from "@baton/contract/forms";
import { hasEnded } from "../../queries/run-state.ts";
import type { Activities, Activity } from "../../story/activities.ts";
import { escapeLine } from "../../terminal/escape.ts";
import { describeElapsed, elapsedMs } from "../../terminal/format.ts";
import { paint, piece, signsOf } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cut, cutFront } from "../../terminal/width.ts";
import { renderStageRows, waitOf } from "../runs/stage-table.ts";
import { endOf, stageLabel } from "../status.ts";

/** Rows of the live view that are not stages. */
const otherRows = 10;

/** Stages that are hidden first when there are too many. */
const atRest: ReadonlySet<StageStatus> = new Set([
  StageStatus.PENDING,
  StageStatus.COMPLETED,
  StageStatus.SKIPPED,
]);

/**
 * The stages in as many rows as the terminal has: all of them, or the active ones and the number of the others. An active
 * stage has a second row with its current activity.
 */
export function renderLiveStages(
  terminal: Terminal,
  pipeline: Pipeline,
  activities: Activities,
  nowMs: number,
): readonly string[] {
  const room = Math.max(3, terminal.rows - otherRows);
  const stages = pipeline.stages.toSorted((a, b) => a.stageOrder - b.stageOrder);
  const fits = stages.length <= room;
  const visible = fits ? stages : stages.filter(({ status }) => !atRest.has(status)).slice(0, room - 1);
  const rest = fits ? [] : [`  ${paint(terminal, piece(countStages(pipeline), "quiet"))}`];
  const [head, ...rows] = renderStageRows(terminal, pipeline, visible, nowMs, "  ") ?? [];
  const maxWorking = Math.max(1, room - visible.length);
  let working = 0;
  const lines = visible.flatMap((stage, at) => {
    const line = rows[at] ?? renderLine(terminal, pipeline, stage, nowMs);
    const wait = head === undefined ? waitBelow(terminal, stage, nowMs) : undefined;
    const isAtWork = stage.status === StageStatus.DISPATCHED || wait !== undefined;
    if (!isAtWork || hasEnded(pipeline) || ++working > maxWorking) return [line];
    return [line, renderActivity(terminal, activities.current(pipeline.pipelineId, stage.stageId) ?? wait)];
  });
  return [...(head === undefined ? [] : [head]), ...lines, ...rest];
}

/** The row of an activity; also while none is known, so that the rows below do not jump. */
export function renderActivity(terminal: Terminal, eventLine: Activity | undefined): string {
  const { ellipsis } = signsOf(terminal);
  if (eventLine === undefined) return `    ${paint(terminal, piece(ellipsis, "quiet"))}`;
  // A thought grows at its end, so the end is kept.
  const shorten = eventLine.label === "thinks" ? cutFront : cut;
  const text = shorten(escapeLine(eventLine.text), terminal.columns - 14, ellipsis);
  return `    ${paint(terminal, piece(eventLine.label.padEnd(7), "quiet"))} ${paint(terminal, piece(text, "busy"))}`;
}

/** What a stage waits for, where the table has no column for notes. An agent at work is no reason to wait. */
function waitBelow(terminal: Terminal, { status, waitingFor }: Stage, nowMs: number): Activity | undefined {
  const canGoOn = status === StageStatus.READY || status === StageStatus.DISPATCHED;
  if (!canGoOn || waitingFor === "" || waitingFor.startsWith("the answer of ")) return undefined;
  return { label: "waits", text: waitOf(terminal, waitingFor, nowMs).replace(/^waits /, "") };
}

/** One line per stage, for a narrow terminal: cards would change their height.  */
function renderLine(terminal: Terminal, pipeline: Pipeline, stage: Stage, nowMs: number): string {
  const signs = signsOf(terminal);
  const { tone, sign } = stageLabel(stage, pipeline);
  const took = elapsedMs(stage.startedAt, endOf(stage, pipeline), nowMs);
  const time = took === undefined ? "" : describeElapsed(took);
  const name = cut(escapeLine(stage.stageName || stage.stageId), terminal.columns - 16, signs.ellipsis);
  return [
    `  ${paint(terminal, piece(signs[sign], tone))} ${paint(terminal, piece(name))}`,
    paint(terminal, piece(time, "quiet")),
  ]
    .filter(Boolean)
    .join("  ");
}

function countStages(pipeline: Pipeline): string {
  const counts = new Map<string, number>();
  for (const stage of pipeline.stages) {
    const { word } = stageLabel(stage, pipeline);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}
