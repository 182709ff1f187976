import type { ReviewFeedback } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { at, history, move, nextRound, put, stageAt } from "../state/fold.ts";
import type { AttemptWorkspace, Wait } from "../state/stage-state.ts";
import type { PipelineState } from "../state/state.ts";
import { commitsBefore } from "../state/workspace.ts";
import type { RecordOf } from "./record.ts";

/** A stage apart from its attempts: ready, pruned, sent back, its workspace and kept commits. */
export type StageRecord =
  | {
      readonly type: "unblocked";
      readonly stage: number;
      readonly inputs: JsonObject | undefined;
      readonly atMs: number;
    }
  | {
      readonly type: "pruned";
      readonly stage: number;
      readonly reason: string;
      /** Left out because the workflow has ended elsewhere. */
      readonly byEnd: boolean;
      readonly atMs: number;
    }
  | { readonly type: "waited"; readonly stage: number; readonly wait: Wait; readonly atMs: number }
  | {
      readonly type: "rejected";
      /** Goes through REJECTED to READY. */
      readonly target: number;
      readonly inputs: JsonObject | undefined;
      /** All that depends on the target and had left PENDING. */
      readonly reset: readonly number[];
      readonly feedback: ReviewFeedback | undefined;
      /** The stage and edge that went back, for an edge of a graph. */
      readonly edge: { readonly stage: number; readonly edge: number } | undefined;
      /** A person's rewind and a bounded edge count against no limit of rejections. */
      readonly counts: boolean;
      readonly atMs: number;
    }
  /** The stage has ended the workflow with `completed`: from now on only what is required runs. */
  | { readonly type: "ended-early"; readonly stage: number; readonly reason: string; readonly atMs: number }
  /** Who had ended the workflow was rewound: what was left out for it is back to PENDING. */
  | { readonly type: "end-withdrawn"; readonly reset: readonly number[]; readonly atMs: number }
  /** A place was made for the attempt, before it is sent. */
  | {
      readonly type: "prepared";
      readonly stage: number;
      readonly place: AttemptWorkspace;
      readonly atMs: number;
    }
  /** What the attempt left in its place is a commit now, whatever becomes of it. */
  | {
      readonly type: "kept";
      readonly stage: number;
      readonly attempt: number;
      readonly commit: string;
      readonly atMs: number;
    }
  /** What an attempt that is over had left, and nobody looked at, is a commit on its branch: nothing is built on it. */
  | {
      readonly type: "left";
      readonly stage: number;
      readonly attempt: number;
      readonly commit: string;
      readonly atMs: number;
    }
  | { readonly type: "flags-approved"; readonly stage: number; readonly atMs: number };

/** How stages are let go, left out, taken back: all that moves them apart from their attempts. */
export function unblocked(
  state: PipelineState,
  { stage: index, inputs }: RecordOf<"unblocked">,
): PipelineState {
  const stage = at(state, index, "PENDING");
  const ready = { ...nextRound(stage), status: "READY", wait: { kind: "turn" }, inputs } as const;
  return move(state, index, stage, "unblock", ready);
}

export function pruned(state: PipelineState, record: RecordOf<"pruned">): PipelineState {
  const { stage: index, reason, byEnd, atMs } = record;
  const stage = stageAt(state, index);
  if (stage.status !== "PENDING" && stage.status !== "READY" && stage.status !== "DISPATCHED")
    throw new Error(`stage ${index} is ${stage.status} and cannot be left out`);
  return move(state, index, stage, "prune", {
    ...history(stage),
    status: "SKIPPED",
    reason,
    failure: undefined,
    byEnd,
    finishedAtMs: atMs,
  });
}

export function waited(state: PipelineState, { stage: index, wait }: RecordOf<"waited">): PipelineState {
  const stage = stageAt(state, index);
  if (stage.status === "READY") return put(state, index, { ...stage, wait });
  if (stage.status === "DISPATCHED")
    return put(state, index, { ...stage, phase: { kind: "preparing", wait } });
  throw new Error(`stage ${index} is ${stage.status} and waits for nothing`);
}

export function rejected(state: PipelineState, record: RecordOf<"rejected">): PipelineState {
  const { target, reset, feedback, edge, inputs } = record;
  let next = state;
  for (const index of reset) next = backToPending(next, index);
  if (edge) {
    const stage = stageAt(next, edge.stage);
    const edgesTaken = [...stage.edgesTaken];
    edgesTaken[edge.edge] = (edgesTaken[edge.edge] ?? 0) + 1;
    next = put(next, edge.stage, { ...stage, edgesTaken });
  }
  const stage = stageAt(next, target);
  if (stage.status === "PENDING" || stage.status === "READY")
    throw new Error(`stage ${target} was never sent`);
  const ready = { ...nextRound(stage), feedback, status: "READY", wait: { kind: "turn" }, inputs } as const;
  next = move(next, target, stage, "rewind", ready);
  const ends = state.ends.filter((place) => place !== target && !reset.includes(place));
  return { ...next, ends, rejectionsUsed: state.rejectionsUsed + (record.counts ? 1 : 0) };
}

export function endedEarly(state: PipelineState, { stage }: RecordOf<"ended-early">): PipelineState {
  return { ...state, ends: [...state.ends, stage] };
}

export function endWithdrawn(state: PipelineState, { reset }: RecordOf<"end-withdrawn">): PipelineState {
  return reset.reduce(backToPending, state);
}

export function flagsApproved(
  state: PipelineState,
  { stage: index }: RecordOf<"flags-approved">,
): PipelineState {
  return put(state, index, { ...stageAt(state, index), flagsApproved: true });
}

/** A stage without dependencies begins with the root commit; the first workspace determines it. */
export function prepared(state: PipelineState, { stage: index, place }: RecordOf<"prepared">): PipelineState {
  const next = put(state, index, { ...stageAt(state, index), place });
  const isRoot = commitsBefore(state, index).length === 0;
  return isRoot ? { ...next, rootCommit: state.rootCommit ?? place.baseCommit } : next;
}

export function kept(
  state: PipelineState,
  { stage: index, attempt, commit }: RecordOf<"kept">,
): PipelineState {
  return put(state, index, { ...stageAt(state, index), kept: { attempt, commit } });
}

/** Nobody has looked at it, so that no stage is any further. */
export function left(state: PipelineState, { stage, attempt }: RecordOf<"left">): PipelineState {
  return { ...state, left: [...state.left, `${state.plan.stages[stage]?.id}/${attempt}`] };
}

function backToPending(state: PipelineState, index: number): PipelineState {
  const stage = stageAt(state, index);
  if (stage.status === "PENDING") return state;
  const pending = { ...history(stage), feedback: undefined, status: "PENDING" } as const;
  return move(state, index, stage, "reset", pending);
}
