import { type EdgeDecision, EdgeKind, type ReviewFeedback } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { at, history, move, nextRound, put, stageAt } from "../state/fold.ts";
import type { AttemptWorkspace, Wait } from "../state/stage-state.ts";
import type { PipelineState } from "../state/state.ts";
import { dropSteps } from "../state/steps.ts";
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
      /** Pruned because the workflow has ended elsewhere. */
      readonly byEnd: boolean;
      readonly atMs: number;
    }
  /** The edges that lead to the stage, before it is ready or pruned; or its edges back, after its answer. */
  | {
      readonly type: "edges-decided";
      readonly stage: number;
      readonly edges: readonly EdgeDecision[];
      readonly atMs: number;
    }
  | { readonly type: "waited"; readonly stage: number; readonly wait: Wait; readonly atMs: number }
  | {
      readonly type: "rejected";
      /** Goes through REJECTED to READY. */
      readonly target: number;
      readonly inputs: JsonObject | undefined;
      /** All dependents of the target that had left PENDING. */
      readonly reset: readonly number[];
      readonly feedback: ReviewFeedback | undefined;
      /** The stage and its back edge, if one was taken. */
      readonly edge: { readonly stage: number; readonly edge: number } | undefined;
      /** Resuming and bounded back edges do not count as rejections. */
      readonly counts: boolean;
      /** The next attempt continues with the steps of the last one. */
      readonly keepsSteps?: true;
      readonly atMs: number;
    }
  /** The stage has ended the workflow with `completed`: only required stages run from now on. */
  | { readonly type: "ended-early"; readonly stage: number; readonly reason: string; readonly atMs: number }
  /** The stage that had ended the workflow was reset: stages pruned for it are PENDING again. */
  | { readonly type: "end-withdrawn"; readonly reset: readonly number[]; readonly atMs: number }
  /** The workspace of the attempt is prepared. */
  | {
      readonly type: "prepared";
      readonly stage: number;
      readonly place: AttemptWorkspace;
      readonly atMs: number;
    }
  /** The work of the attempt is committed, whatever its outcome. */
  | {
      readonly type: "kept";
      readonly stage: number;
      readonly attempt: number;
      readonly commit: string;
      readonly atMs: number;
    }
  /** Unchecked work of an ended attempt is committed on its branch; nothing builds on it. */
  | {
      readonly type: "left";
      readonly stage: number;
      readonly attempt: number;
      readonly commit: string;
      readonly atMs: number;
    }
  | { readonly type: "flags-approved"; readonly stage: number; readonly atMs: number };

/** The folds of a stage apart from its attempts. */
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
  return move(dropSteps(state, [index]), index, stage, "prune", {
    ...history(stage),
    status: "SKIPPED",
    reason,
    failure: undefined,
    byEnd,
    finishedAtMs: atMs,
  });
}

/** Edges that lead to the stage replace their last decision; of its edges back the last ones are kept. */
export function edgesDecided(
  state: PipelineState,
  { stage: index, edges }: RecordOf<"edges-decided">,
): PipelineState {
  const stage = stageAt(state, index);
  const before = stage.edges ?? [];
  const isBack = edges.some(goesBack);
  const forward = isBack ? before.filter((edge) => !goesBack(edge)) : edges;
  const back = isBack ? [...before.filter(goesBack), ...edges].slice(-maxEdgesBack) : before.filter(goesBack);
  return put(state, index, { ...stage, edges: [...forward, ...back] });
}

function goesBack({ kind }: EdgeDecision): boolean {
  return kind === EdgeKind.BACK;
}

/** Kept decisions about the edges back of one stage. */
const maxEdgesBack = 100;

export function waited(state: PipelineState, { stage: index, wait }: RecordOf<"waited">): PipelineState {
  const stage = stageAt(state, index);
  if (stage.status === "READY") return put(state, index, { ...stage, wait });
  if (stage.status === "DISPATCHED")
    return put(state, index, { ...stage, phase: { kind: "preparing", wait } });
  throw new Error(`stage ${index} is ${stage.status} and waits for nothing`);
}

export function rejected(state: PipelineState, record: RecordOf<"rejected">): PipelineState {
  const { target, reset, feedback, edge, inputs } = record;
  let next = dropSteps(state, record.keepsSteps ? reset : [target, ...reset]);
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
  const ends = state.ends.filter((end) => end !== target && !reset.includes(end));
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

export function left(state: PipelineState, { stage, attempt }: RecordOf<"left">): PipelineState {
  return { ...state, left: [...state.left, `${state.plan.stages[stage]?.id}/${attempt}`] };
}

function backToPending(state: PipelineState, index: number): PipelineState {
  const stage = stageAt(state, index);
  if (stage.status === "PENDING") return state;
  const { edges, ...kept } = history(stage);
  // The edges that lead to it are decided again.
  const back = edges?.filter(goesBack) ?? [];
  const pending = {
    ...kept,
    ...(back.length > 0 && { edges: back }),
    ...{ feedback: undefined, status: "PENDING" as const },
  };
  return move(state, index, stage, "reset", pending);
}
