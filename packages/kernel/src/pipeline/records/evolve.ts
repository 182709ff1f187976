import type { PipelineState } from "../state/state.ts";
import { aligned } from "./alignment.ts";
import * as attempt from "./attempt.ts";
import * as cache from "./cache.ts";
import * as question from "./question.ts";
import type { PipelineRecord } from "./record.ts";
import * as run from "./run.ts";
import * as stage from "./stage.ts";

/** Folds a record into the state: the only way in which state changes, live and in a replay. */
export function evolve(state: PipelineState | undefined, record: PipelineRecord): PipelineState {
  if (record.type === "created") {
    if (state) throw new Error("a pipeline is created once");
    return run.created(record);
  }
  if (!state) throw new Error(`"${record.type}" came before the pipeline was created`);
  const next = apply(state, record);
  // The new state is not shared yet, so setting the version in place saves a copy.
  const own: { -readonly [Key in keyof PipelineState]: PipelineState[Key] } =
    next === state ? { ...state } : next;
  own.version = state.version + 1;
  own.updatedAtMs = record.atMs;
  return own;
}

export function replay(records: readonly PipelineRecord[]): PipelineState | undefined {
  return records.reduce<PipelineState | undefined>(evolve, undefined);
}

function apply(state: PipelineState, record: Exclude<PipelineRecord, { type: "created" }>): PipelineState {
  switch (record.type) {
    case "unblocked":
      return stage.unblocked(state, record);
    case "pruned":
      return stage.pruned(state, record);
    case "edges-decided":
      return stage.edgesDecided(state, record);
    case "waited":
      return stage.waited(state, record);
    case "rejected":
      return stage.rejected(state, record);
    case "ended-early":
      return stage.endedEarly(state, record);
    case "end-withdrawn":
      return stage.endWithdrawn(state, record);
    case "flags-approved":
      return stage.flagsApproved(state, record);
    case "prepared":
      return stage.prepared(state, record);
    case "kept":
      return stage.kept(state, record);
    case "left":
      return stage.left(state, record);
    case "dispatched":
      return attempt.dispatched(state, record);
    case "received":
      return attempt.received(state, record);
    case "guarded":
      return attempt.guarded(state, record);
    case "files-seen":
      return attempt.filesSeen(state, record);
    case "disregarded":
      return attempt.disregarded(state, record);
    case "observed":
      return attempt.observed(state, record);
    case "stepped":
      return attempt.stepped(state, record);
    case "review-requested":
      return attempt.reviewRequested(state, record);
    case "asked":
      return attempt.asked(state, record);
    case "retried":
      return attempt.retried(state, record);
    case "overridden":
      return attempt.overridden(state, record);
    case "completed":
      return attempt.completed(state, record);
    case "failed":
      return attempt.failed(state, record);
    case "skipped":
      return attempt.skipped(state, record);
    case "cache-missed":
      return cache.cacheMissed(state, record);
    case "served":
      return cache.served(state, record);
    case "tool-used":
      return cache.toolUsed(state, record);
    case "outcome-stored":
      return cache.outcomeStored(state, record);
    case "started":
      return run.started(state, record);
    case "paused":
      return run.paused(state, record);
    case "resumed":
      return run.resumed(state);
    case "aborted":
      return run.aborted(state, record);
    case "pipeline-failed":
      return run.pipelineFailed(state, record);
    case "pipeline-completed":
      return run.pipelineCompleted(state, record);
    case "deadline-passed":
      return { ...state, deadlineAtMs: undefined };
    case "deadline-waived":
      return { ...state, deadlineWaived: true };
    case "limits-changed":
      return run.limitsChanged(state, record);
    case "labels-changed":
      return { ...state, labels: record.labels };
    case "taken-over":
      return run.takenOver(state, record);
    case "restored":
      return run.restored(state, record);
    case "aligned":
      return aligned(state, record);
    case "escalated":
      return question.escalated(state, record);
    case "resolved":
      return question.resolved(state, record);
  }
}
