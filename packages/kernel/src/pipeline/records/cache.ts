import type { AgentResult } from "@baton/contract";
import type { CacheSource, RunCache } from "../../governance/cache/view.ts";
import { at, history, inPhase, move, put } from "../state/fold.ts";
import type { Sent } from "../state/stage-state.ts";
import type { PipelineState } from "../state/state.ts";
import type { RecordOf } from "./record.ts";

/** The reuse of outcomes (SAP V2 §6). */
export type CacheRunRecord =
  /** No stored outcome answers the task: it is executed. */
  | {
      readonly type: "cache-missed";
      readonly stage: number;
      readonly reason: string;
      /** An outcome was found, and its alignment did not hold when it was checked again. */
      readonly served?: true;
      readonly atMs: number;
    }
  /** A stored outcome answers the task. The stage passes through DISPATCHED, the only way to COMPLETED, and nothing is sent. */
  | {
      readonly type: "served";
      readonly stage: number;
      readonly sent: Sent;
      readonly result: AgentResult;
      readonly source: CacheSource;
      readonly atMs: number;
    }
  | { readonly type: "tool-used"; readonly stage: number; readonly tool: string; readonly atMs: number }
  | { readonly type: "outcome-stored"; readonly digest: string; readonly atMs: number };

export function cacheMissed(state: PipelineState, record: RecordOf<"cache-missed">): PipelineState {
  const { reason: missReason, served } = record;
  if (!served)
    return withCache(state, { phase: "leading", missReason: state.cache?.missReason ?? missReason });
  const refused = state.cache?.source?.pipelineId;
  const missed = withCache(state, { phase: "open", missReason, refused, source: undefined });
  const stage = at(missed, record.stage, "DISPATCHED");
  inPhase(stage, "verifying");
  // Nothing was sent under the number of the attempt, and it is not used again.
  const [attempt, roundStart] = [stage.attempt + 1, stage.roundStart + 1];
  const phase = { kind: "preparing", wait: { kind: "turn" } } as const;
  return put(missed, record.stage, { ...stage, attempt, roundStart, phase });
}

export function served(state: PipelineState, record: RecordOf<"served">): PipelineState {
  const { stage: index, sent, result, source } = record;
  const ready = at(state, index, "READY");
  const dispatched = move(state, index, ready, "dispatch", {
    ...history(ready),
    status: "DISPATCHED",
    phase: { kind: "verifying", sent, result },
    inputs: ready.inputs,
  });
  return withCache(dispatched, { phase: "served", source });
}

export function toolUsed(state: PipelineState, { tool }: RecordOf<"tool-used">): PipelineState {
  return withCache(state, { tools: [...(state.cache?.tools ?? []), tool] });
}

export function outcomeStored(state: PipelineState, { digest }: RecordOf<"outcome-stored">): PipelineState {
  return withCache(state, { digest });
}

function withCache(state: PipelineState, change: Partial<RunCache>): PipelineState {
  if (!state.cache) throw new Error("the outcome of the task is not cached");
  return { ...state, cache: { ...state.cache, ...change } };
}
