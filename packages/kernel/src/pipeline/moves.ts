import type { PipelineRecord } from "./record.ts";
import { type PipelineState, sentOf } from "./state.ts";

/** Where a stage or the pipeline itself went, for those who watch. */
export interface Move {
  /** Place of the stage; undefined is the pipeline. */
  readonly stage: number | undefined;
  /** The attempt that the stage is about afterwards; empty when there is none. */
  readonly dispatchId: string;
  /** A pipeline comes from NONE. */
  readonly from: string;
  readonly to: string;
}

/** What a record moved. REJECTED is told as a step on the way, since no stage rests there. */
export function movesOf(
  before: PipelineState | undefined,
  record: PipelineRecord,
  after: PipelineState,
): readonly Move[] {
  const moves: Move[] = [];
  for (const place of stagesOf(record)) {
    const from = before?.stages[place]?.status;
    const stage = after.stages[place];
    if (from === undefined || !stage || from === stage.status) continue;
    const dispatchId = sentOf(stage)?.dispatchId ?? "";
    const isRejected = record.type === "rejected" && place === record.target;
    const steps = isRejected ? [from, "REJECTED", stage.status] : [from, stage.status];
    for (const [index, to] of steps.slice(1).entries())
      moves.push({ stage: place, dispatchId, from: steps[index] ?? "", to });
  }
  const from = before?.life.status ?? "NONE";
  const to = after.life.status;
  if (from !== to) moves.push({ stage: undefined, dispatchId: "", from, to });
  return moves;
}

function stagesOf(record: PipelineRecord): readonly number[] {
  if (record.type === "rejected") return [record.target, ...record.reset];
  return "stage" in record && record.stage !== undefined ? [record.stage] : [];
}
