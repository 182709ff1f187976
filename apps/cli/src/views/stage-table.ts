import type { Pipeline, Stage } from "@baton/contract";
import { piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Column, type Row, renderRows, renderTable } from "../terminal/table.ts";
import { describeElapsed, elapsedMs } from "../terminal/time.ts";
import { showStageStatus } from "./status.ts";

const columns: readonly Column[] = [
  { heading: "STAGE" },
  { heading: "STATUS" },
  { heading: "ELAPSED", right: true },
  { heading: "ATTEMPT", right: true, spare: true },
  { heading: "AGENT" },
  { heading: "NOTE", flexible: true },
];

/** Where each stage stands, in the order in which they are run. */
export function renderStages(
  look: Look,
  { stages }: Pipeline,
  nowMs: number,
  indent = "",
): readonly string[] {
  return renderTable(look, columns, rowsOf(look, stages, nowMs), indent);
}

/** The same where it fits beside each other; undefined where it would become cards. */
export function renderStageRows(
  look: Look,
  stages: readonly Stage[],
  nowMs: number,
  indent: string,
): readonly string[] | undefined {
  return renderRows(look, columns, rowsOf(look, stages, nowMs), indent);
}

function rowsOf(look: Look, stages: readonly Stage[], nowMs: number): readonly Row[] {
  const signs = signsOf(look);
  return stages
    .toSorted((a, b) => a.stageOrder - b.stageOrder)
    .map((stage): Row => {
      const { word, tone, sign } = showStageStatus(stage.status);
      const took = elapsedMs(stage.startedAt, stage.finishedAt, nowMs);
      return [
        piece(stage.stageName || stage.stageId),
        piece(`${signs[sign]} ${word}`, tone),
        piece(took === undefined ? "" : describeElapsed(took)),
        piece(stage.attemptNumber > 0 ? String(stage.attemptNumber) : ""),
        piece([stage.assignedPackId, stage.assignedInstanceId].filter(Boolean).join("/")),
        piece(noteOf(stage), "quiet"),
      ];
    });
}

/** What it waits for, else what came of it. */
function noteOf({ waitingFor, result }: Stage): string {
  if (waitingFor) return `waits for ${waitingFor}`;
  const status = result?.status;
  return status?.failureReason || status?.summary || status?.failureCode || "";
}
