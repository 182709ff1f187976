import { type Pipeline, type Stage, StageStatus } from "@baton/contract";
import { piece, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type Column, type Row, renderRows, renderTable } from "../terminal/table.ts";
import { describeElapsed, elapsedMs } from "../terminal/time.ts";
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
  return renderTable(look, columns, rowsOf(look, pipeline, pipeline.stages, nowMs), indent);
}

/** The same where it fits beside each other; undefined where it would become cards. */
export function renderStageRows(
  look: Look,
  pipeline: Pipeline,
  stages: readonly Stage[],
  nowMs: number,
  indent: string,
): readonly string[] | undefined {
  return renderRows(look, columns, rowsOf(look, pipeline, stages, nowMs), indent);
}

function rowsOf(look: Look, pipeline: Pipeline, stages: readonly Stage[], nowMs: number): readonly Row[] {
  const signs = signsOf(look);
  return stages
    .toSorted((a, b) => a.stageOrder - b.stageOrder)
    .map((stage): Row => {
      const { word, tone, sign } = showStage(stage, pipeline);
      const took = elapsedMs(stage.startedAt, endOf(stage, pipeline), nowMs);
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
function noteOf({ status: standing, waitingFor, result }: Stage): string {
  // Of a stage that is at rest it is what went wrong.
  if (waitingFor) return atRest.has(standing) ? waitingFor : `waits for ${waitingFor}`;
  const status = result?.status;
  return status?.failureReason || status?.summary || status?.failureCode || "";
}
