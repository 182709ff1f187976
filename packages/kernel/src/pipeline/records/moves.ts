import { type StageState, sentOf } from "../state/stage-state.ts";
import type { PipelineState } from "../state/state.ts";
import { attemptWorkspace, commitOf } from "../state/workspace.ts";
import type { PipelineRecord } from "./record.ts";

/** A transition of a stage or of the pipeline, for watchers. */
export interface Move {
  /** Index of the stage; undefined is the pipeline. */
  readonly stage: number | undefined;
  /** The current attempt of the stage afterwards; empty without one. */
  readonly dispatchId: string;
  /** A new pipeline comes from NONE. */
  readonly from: string;
  readonly to: string;
  /** The commit of the transition (SAOP §2): the start of the work, or what was kept of it. */
  readonly commit?: string | undefined;
}

/**
 * The transitions of a record. REJECTED is reported as a step on the way, since no stage rests there. A retry stays in
 * DISPATCHED (PIP-02) and is reported when it is decided and when the attempt is sent, so that watchers see both.
 */
export function movesOf(
  before: PipelineState | undefined,
  record: PipelineRecord,
  after: PipelineState,
): readonly Move[] {
  if (record.type === "restored") return jumpsOf(before, after);
  const moves: Move[] = [];
  for (const position of stagesOf(record)) {
    const from = before?.stages[position]?.status;
    const stage = after.stages[position];
    if (from === undefined || !stage || (from === stage.status && !isRetry(record))) continue;
    const dispatchId = sentOf(stage)?.dispatchId ?? "";
    const { status: to } = stage;
    const isRejected = record.type === "rejected" && position === record.target;
    if (isRejected) {
      moves.push(
        moveOf(position, dispatchId, from, "REJECTED", commitWith("REJECTED", before?.stages[position])),
      );
      moves.push(moveOf(position, dispatchId, "REJECTED", to, commitWith(to, stage)));
    } else moves.push(moveOf(position, dispatchId, from, to, commitWith(to, stage)));
  }
  const from = before?.life.status ?? "NONE";
  const to = after.life.status;
  if (from === to) return moves;
  moves.push(moveOf(undefined, "", from, to, to === "COMPLETED" ? lastCommit(after) : undefined));
  return moves;
}

function moveOf(
  stage: number | undefined,
  dispatchId: string,
  from: string,
  to: string,
  commit: string | undefined,
): Move {
  return commit ? { stage, dispatchId, from, to, commit } : { stage, dispatchId, from, to };
}

/**
 * The transitions of a rewind: every stage that differs, and always the pipeline. Unfinished stages are at the pipeline's
 * head.
 */
function jumpsOf(before: PipelineState | undefined, after: PipelineState): readonly Move[] {
  const head = headOf(after);
  const moves = after.stages.flatMap((stage, position): Move[] => {
    const was = before?.stages[position];
    if (!was || (was.status === stage.status && was.attempt === stage.attempt)) return [];
    const commit = stage.status === "COMPLETED" ? commitOf(stage) : head;
    const dispatchId = sentOf(stage)?.dispatchId ?? "";
    return [{ stage: position, dispatchId, from: was.status, to: stage.status, ...(commit && { commit }) }];
  });
  const from = before?.life.status ?? "NONE";
  const to = after.life.status;
  return [...moves, { stage: undefined, dispatchId: "", from, to, ...(head && { commit: head }) }];
}

/** The commit of the last completed stage in plan order; before any, the root. */
function headOf({ stages, rootCommit }: PipelineState): string | undefined {
  const last = stages.findLast((stage) => stage.status === "COMPLETED" && stage.kept !== undefined);
  return last?.kept?.commit ?? rootCommit;
}

function commitWith(to: string, stage: StageState | undefined): string | undefined {
  if (!stage || to === "READY" || to === "PENDING") return undefined;
  return to === "DISPATCHED" ? attemptWorkspace(stage)?.startCommit : commitOf(stage);
}

/** The commit of the final stages, if they have the same. */
function lastCommit({ plan, stages }: PipelineState): string | undefined {
  const last = plan.stages.flatMap(({ dependents }, position) => {
    const stage = stages[position];
    return dependents.length === 0 && stage ? (commitOf(stage) ?? []) : [];
  });
  return new Set(last).size === 1 ? last[0] : undefined;
}

function isRetry({ type }: PipelineRecord): boolean {
  return type === "retried" || type === "dispatched";
}

function stagesOf(record: PipelineRecord): readonly number[] {
  if (record.type === "rejected") return [record.target, ...record.reset];
  if (record.type === "taken-over") return record.taken.map(({ stage }) => stage);
  return "stage" in record && record.stage !== undefined ? [record.stage] : [];
}
