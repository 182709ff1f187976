import { type Event, EventSchema, ToolStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { CallRow } from "../ports/store.ts";

/** Calls of one attempt that have not ended; more are not begun. */
export const mostOpenCalls = 1_000;

/** Calls of tools that were heard to begin and not to end (TUR-05), by attempt. */
export class OpenCalls {
  readonly #of = new Map<string, Map<string, CallRow>>();

  has(dispatchId: string, callId: string): boolean {
    return this.#of.get(dispatchId)?.has(callId) ?? false;
  }

  hasAny(dispatchId: string): boolean {
    return this.#of.has(dispatchId);
  }

  isFull(dispatchId: string): boolean {
    return (this.#of.get(dispatchId)?.size ?? 0) >= mostOpenCalls;
  }

  begin(call: CallRow): void {
    const calls = this.#of.get(call.dispatchId) ?? new Map<string, CallRow>();
    this.#of.set(call.dispatchId, calls.set(call.callId, call));
  }

  end(dispatchId: string, callId: string): void {
    const calls = this.#of.get(dispatchId);
    calls?.delete(callId);
    if (calls?.size === 0) this.#of.delete(dispatchId);
  }

  /** Those of an attempt that has nothing more to tell; they are open no more. */
  takeAll(dispatchId: string): readonly CallRow[] {
    const calls = this.#of.get(dispatchId);
    this.#of.delete(dispatchId);
    return [...(calls?.values() ?? [])];
  }
}

/** A tool that never returned has timed out. */
export function timedOut({ callId, tool, atMs, pipelineId }: CallRow, nowMs: number, eventId: string): Event {
  const durationMs = Math.max(0, nowMs - atMs);
  const timestamp = timestampFromMs(nowMs);
  const value = { callId, tool, status: ToolStatus.TIMEOUT, durationMs, timestamp };
  return create(EventSchema, { eventId, sessionId: pipelineId, payload: { case: "toolCompleted", value } });
}
