import { type Pipeline, type Stage, StageStatus } from "@baton/contract/forms";
import { describeElapsed, elapsedMs } from "../../terminal/format.ts";
import { piece, signsOf } from "../../terminal/paint.ts";
import { type Column, type Row, renderRows, renderTable } from "../../terminal/table.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { endOf, stageLabel } from "../status.ts";
import { agentOf, shortAgentNames } from "./agent-names.ts";

const atRest: ReadonlySet<StageStatus> = new Set([StageStatus.FAILED, StageStatus.SKIPPED]);

const columns: readonly Column[] = [
  { heading: "STAGE" },
  { heading: "STATUS" },
  { heading: "ELAPSED", right: true },
  { heading: "ATTEMPT", right: true, spare: true },
  { heading: "AGENT" },
  { heading: "NOTE", flexible: true },
];

/** The status of each stage, in the order of the plan. */
export function renderStages(
  terminal: Terminal,
  pipeline: Pipeline,
  nowMs: number,
  indent = "",
): readonly string[] {
  const names = new Map(pipeline.stages.map((stage) => [stage, agentOf(stage)]));
  return renderTable(terminal, columns, rowsOf(terminal, pipeline, names, nowMs), indent);
}

/**
 * In the live view the layout depends on the width of the terminal alone, because one that depends on the content would jump.
 * Names are shortened and generated ids cut, so that the note has room.
 */
const narrowestLive = 72;
const narrowestWithAttempt = 100;
const givesWay: ReadonlySet<string> = new Set(["STAGE", "AGENT", "NOTE"]);

/** The rows for the live view; undefined where the terminal is too narrow for a table. */
export function renderStageRows(
  terminal: Terminal,
  pipeline: Pipeline,
  stages: readonly Stage[],
  nowMs: number,
  indent: string,
): readonly string[] | undefined {
  if (terminal.columns < narrowestLive) return undefined;
  const hidden = terminal.columns < narrowestWithAttempt ? "ATTEMPT" : undefined;
  const visible = columns.flatMap(({ spare: _, ...column }, at) =>
    column.heading === hidden ? [] : [{ at, column: { ...column, flexible: givesWay.has(column.heading) } }],
  );
  const rows = rowsOf(terminal, pipeline, shortAgentNames(stages), nowMs);
  return renderRows(
    terminal,
    visible.map(({ column }) => column),
    // A column that nobody fills yet keeps its place.
    rows.map((row) => visible.map(({ at }) => (row[at]?.text ? row[at] : piece(" ")))),
    indent,
  );
}

function rowsOf(
  terminal: Terminal,
  pipeline: Pipeline,
  agents: ReadonlyMap<Stage, string>,
  nowMs: number,
): readonly Row[] {
  const signs = signsOf(terminal);
  return [...agents]
    .toSorted(([a], [b]) => a.stageOrder - b.stageOrder)
    .map(([stage, agent]): Row => {
      const { word, tone, sign } = stageLabel(stage, pipeline);
      const took = elapsedMs(stage.startedAt, endOf(stage, pipeline), nowMs);
      return [
        piece(stage.stageName || stage.stageId),
        piece(`${signs[sign]} ${word}`, tone),
        piece(took === undefined ? "" : describeElapsed(took)),
        piece(stage.attemptNumber > 0 ? String(stage.attemptNumber) : ""),
        piece(agent),
        piece(noteOf(terminal, stage, nowMs), "quiet"),
      ];
    });
}

/** What it waits for, else what came of it. */
function noteOf(terminal: Terminal, stage: Stage, nowMs: number): string {
  const { status: standing, waitingFor, result, resultLeftOutBytes: bytes } = stage;
  // Of a stage that is at rest it is what went wrong.
  if (waitingFor) return atRest.has(standing) ? waitingFor : waitOf(terminal, waitingFor, nowMs);
  if (bytes > 0) return `its result is left out: it has ${describeBytes(bytes)}`;
  const status = result?.status;
  return status?.failureReason || status?.summary || status?.failureCode || "";
}

function describeBytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** On a terminal the time until then; in a pipe the instant. */
export function waitOf(terminal: Terminal, waitingFor: string, nowMs: number): string {
  const [, what = "", instant = ""] = /^(the next attempt) at (\S+)$/.exec(waitingFor) ?? [];
  const untilMs = Date.parse(instant);
  if (!terminal.isTerminal || Number.isNaN(untilMs)) return `waits for ${waitingFor}`;
  return untilMs <= nowMs ? `${what} is due` : `waits for ${what}, in ${describeElapsed(untilMs - nowMs)}`;
}
