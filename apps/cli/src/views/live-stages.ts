import { type Pipeline, type Stage, StageStatus } from "@baton/contract/forms";
import { hasEnded } from "../hub/standing.ts";
import type { Deed, Doing } from "../narration/doing.ts";
import { escapeLine } from "../terminal/escape.ts";
import { paint, piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { describeElapsed, elapsedMs } from "../terminal/time.ts";
import { cut, cutFront } from "../terminal/width.ts";
import { renderStageRows, waitOf } from "./stage-table.ts";
import { endOf, showStage } from "./status.ts";

/** Rows of the live view that are not stages. */
const otherRows = 10;

/** Of many stages, those that a person looks for first. */
const atRest: ReadonlySet<StageStatus> = new Set([
  StageStatus.PENDING,
  StageStatus.COMPLETED,
  StageStatus.SKIPPED,
]);

/**
 * The stages in as many rows as the terminal has: all of them, or those at work and how many there are besides. One that
 * is worked at has a second row, with what is done there now.
 */
export function renderLiveStages(
  look: Look,
  pipeline: Pipeline,
  doing: Doing,
  nowMs: number,
): readonly string[] {
  const room = Math.max(3, look.rows - otherRows);
  const stages = pipeline.stages.toSorted((a, b) => a.stageOrder - b.stageOrder);
  const fits = stages.length <= room;
  const shown = fits ? stages : stages.filter(({ status }) => !atRest.has(status)).slice(0, room - 1);
  const rest = fits ? [] : [`  ${paint(look, piece(countStages(pipeline), "quiet"))}`];
  const [head, ...rows] = renderStageRows(look, pipeline, shown, nowMs, "  ") ?? [];
  const most = Math.max(1, room - shown.length);
  let working = 0;
  const lines = shown.flatMap((stage, at) => {
    const line = rows[at] ?? renderLine(look, pipeline, stage, nowMs);
    const wait = head === undefined ? waitBelow(look, stage, nowMs) : undefined;
    const isAtWork = stage.status === StageStatus.DISPATCHED || wait !== undefined;
    if (!isAtWork || hasEnded(pipeline) || ++working > most) return [line];
    return [line, renderDeed(look, doing.now(pipeline.pipelineId, stage.stageId) ?? wait)];
  });
  return [...(head === undefined ? [] : [head]), ...lines, ...rest];
}

/** A row of its own also while nothing is known: what stands below it would jump otherwise. */
export function renderDeed(look: Look, deed: Deed | undefined): string {
  const { ellipsis } = signsOf(look);
  if (deed === undefined) return `    ${paint(look, piece(ellipsis, "quiet"))}`;
  // A thought grows at its end, which is where the agent is.
  const shorten = deed.label === "thinks" ? cutFront : cut;
  const text = shorten(escapeLine(deed.text), look.columns - 14, ellipsis);
  return `    ${paint(look, piece(deed.label.padEnd(7), "quiet"))} ${paint(look, piece(text, "busy"))}`;
}

/** Where there is no column for notes, what a stage that could go on waits for; that an agent has it is plain. */
function waitBelow(look: Look, { status, waitingFor }: Stage, nowMs: number): Deed | undefined {
  const canGoOn = status === StageStatus.READY || status === StageStatus.DISPATCHED;
  if (!canGoOn || waitingFor === "" || waitingFor.startsWith("the answer of ")) return undefined;
  return { label: "waits", text: waitOf(look, waitingFor, nowMs).replace(/^waits /, "") };
}

/** One line a stage, for a narrow terminal: a card each would not stay in one place. */
function renderLine(look: Look, pipeline: Pipeline, stage: Stage, nowMs: number): string {
  const signs = signsOf(look);
  const { tone, sign } = showStage(stage, pipeline);
  const took = elapsedMs(stage.startedAt, endOf(stage, pipeline), nowMs);
  const time = took === undefined ? "" : describeElapsed(took);
  const name = cut(escapeLine(stage.stageName || stage.stageId), look.columns - 16, signs.ellipsis);
  return [
    `  ${paint(look, piece(signs[sign], tone))} ${paint(look, piece(name))}`,
    paint(look, piece(time, "quiet")),
  ]
    .filter(Boolean)
    .join("  ");
}

function countStages(pipeline: Pipeline): string {
  const counts = new Map<string, number>();
  for (const stage of pipeline.stages) {
    const { word } = showStage(stage, pipeline);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}
