import type { Execution, Moment, TaskEnvelope } from "@baton/contract";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { limits, longestTimerMs } from "../limits.ts";

/**
 * The remaining time of an attempt.
 *
 * The clocks of hub and agent may differ by hours. The timeout is the deadline minus the time of sending, both by the
 * hub's clock, so it does not depend on the clock here. Only a deadline without a timeout is compared with the local
 * clock. A deadline in the past ends the attempt before it starts.
 */
export function timeLeftMs({ deadline, timeout }: Execution, sinceArrivalMs: number): number {
  const left =
    deadline && !timeout
      ? timestampMs(deadline) - Date.now()
      : (timeout ? durationMs(timeout) : limits.attemptMs) - sinceArrivalMs;
  return Math.min(Math.max(0, left), longestTimerMs);
}

/** The time for checking a deadline: none when a timeout limits the envelope. */
export function momentOf(envelope: TaskEnvelope | undefined): Moment | undefined {
  return envelope?.execution?.timeout ? undefined : { nowMs: Date.now() };
}
