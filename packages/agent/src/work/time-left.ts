import type { Execution, Moment, TaskEnvelope } from "@baton/contract";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { limits, longestTimerMs } from "../limits.ts";

/**
 * What is left of an attempt whose envelope came so long ago.
 *
 * The clock of the hub and that of the agent may differ by hours. The timeout is the deadline less the instant at which
 * the hub sent the envelope, both by the hub's clock, so it holds whatever the clock here says. Only a deadline without
 * a timeout has to be held against the clock of this machine. One that has passed ends the attempt before it begins.
 */
export function timeLeftMs({ deadline, timeout }: Execution, sinceArrivalMs: number): number {
  const left =
    deadline && !timeout
      ? timestampMs(deadline) - Date.now()
      : (timeout ? durationMs(timeout) : limits.attemptMs) - sinceArrivalMs;
  return Math.min(Math.max(0, left), longestTimerMs);
}

/** The moment at which an envelope is checked: none for one that a timeout limits, whatever the clock here says. */
export function momentOf(envelope: TaskEnvelope | undefined): Moment | undefined {
  return envelope?.execution?.timeout ? undefined : { nowMs: Date.now() };
}
