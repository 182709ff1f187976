import { type Pipeline, type Stage, StageStatus } from "@baton/contract/forms";
import { piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Column, type Row, renderRows, renderTable } from "../terminal/table.ts";
import { describeElapsed, elapsedMs } from "../terminal/time.ts";
import { agentOf, shortNames } from "./agent-names.ts";
import { endOf, showStage } from "./status.ts";

const atRest: ReadonlySet<StageStatus> = new Set([StageStatus.FAILED, StageStatus.SKIPPED]);

const columns: readonly Column[] = [
  { heading: "STAGE" },
  { heading: "STATUS" },
  { heading: "ELAPSED", right: true },
  { heading: "ATTEMPT", right: true, spare: true },
  { heading: "AGENT" },
  { heading: "NOTE", flexible: true },
];

/** Where each stage stands, in the order in which they are run. */
export function renderStages(look: Look, pipeline: Pipeline, nowMs: number, indent = ""): readonly string[] {
  const names = new Map(pipeline.stages.map((stage) => [stage, agentOf(stage)]));
  return renderTable(look, columns, rowsOf(look, pipeline, names, nowMs), indent);
}

/**
 * While it changes, the layout follows from the width of the terminal alone: one that came and went with what it says
 * would jump. All names give way where they have to, and ids that are long are short, so that the note has room.
 */
const narrowestLive = 72;
const narrowestWithAttempt = 100;
const givesWay: ReadonlySet<string> = new Set(["STAGE", "AGENT", "NOTE"]);

/** The same for a picture that is drawn again; undefined where the terminal is too narrow for a table. */
export function renderStageRows(
  look: Look,
  pipeline: Pipeline,
  stages: readonly Stage[],
  nowMs: number,
  indent: string,
): readonly string[] | undefined {
  if (look.columns < narrowestLive) return undefined;
  const hidden = look.columns < narrowestWithAttempt ? "ATTEMPT" : undefined;
  const shown = columns.flatMap(({ spare: _, ...column }, at) =>
    column.heading === hidden ? [] : [{ at, column: { ...column, flexible: givesWay.has(column.heading) } }],
  );
  const rows = rowsOf(look, pipeline, shortNames(stages), nowMs);
  return renderRows(
    look,
    shown.map(({ column }) => column),
    // A column that nobody fills yet keeps its place.
    rows.map((row) => shown.map(({ at }) => (row[at]?.text ? row[at] : piece(" ")))),
    indent,
  );
}

function rowsOf(
  look: Look,
  pipeline: Pipeline,
  agents: ReadonlyMap<Stage, string>,
  nowMs: number,
): readonly Row[] {
  const signs = signsOf(look);
  return [...agents]
    .toSorted(([a], [b]) => a.stageOrder - b.stageOrder)
    .map(([stage, agent]): Row => {
      const { word, tone, sign } = showStage(stage, pipeline);
      const took = elapsedMs(stage.startedAt, endOf(stage, pipeline), nowMs);
      return [
        piece(stage.stageName || stage.stageId),
        piece(`${signs[sign]} ${word}`, tone),
        piece(took === undefined ? "" : describeElapsed(took)),
        piece(stage.attemptNumber > 0 ? String(stage.attemptNumber) : ""),
        piece(agent),
        piece(noteOf(look, stage, nowMs), "quiet"),
      ];
    });
}

/** What it waits for, else what came of it. */
function noteOf(look: Look, stage: Stage, nowMs: number): string {
  const { status: standing, waitingFor, result, resultLeftOutBytes: bytes } = stage;
  // Of a stage that is at rest it is what went wrong.
  if (waitingFor) return atRest.has(standing) ? waitingFor : waitOf(look, waitingFor, nowMs);
  if (bytes > 0) return `its result is left out: it has ${describeBytes(bytes)}`;
  const status = result?.status;
  return status?.failureReason || status?.summary || status?.failureCode || "";
}

function describeBytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** To a person, how long it is until then; to a program, the instant. */
export function waitOf(look: Look, waitingFor: string, nowMs: number): string {
  const [, what = "", instant = ""] = /^(the next attempt) at (\S+)$/.exec(waitingFor) ?? [];
  const untilMs = Date.parse(instant);
  if (!look.isTerminal || Number.isNaN(untilMs)) return `waits for ${waitingFor}`;
  return untilMs <= nowMs ? `${what} is due` : `waits for ${what}, in ${describeElapsed(untilMs - nowMs)}`;
}
