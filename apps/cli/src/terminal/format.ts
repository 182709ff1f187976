import { type Duration, durationMs, type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Terminal } from "./terminal.ts";

/** `1h 02m`, `3m 07s`, `12s`, `340ms`: two parts at the most, for a quick look. */
export function describeMs(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1000) return `${whole}ms`;
  const seconds = Math.floor(whole / 1000);
  if (seconds < 10 && whole % 1000 >= 100) return `${(Math.floor(whole / 100) / 10).toFixed(1)}s`;
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h ${two(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** Whole seconds only, because the live view is redrawn every second. */
export function describeElapsed(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  return seconds === 0 ? "0s" : describeMs(seconds * 1000);
}

export function describeDuration(duration: Duration | undefined): string {
  return duration === undefined ? "" : describeMs(durationMs(duration));
}

/** On a terminal how long ago; in a pipe the instant. */
export function describeWhen(terminal: Terminal, at: Timestamp | undefined, nowMs: number): string {
  if (at === undefined) return "";
  if (!terminal.isTerminal) return instant(at);
  const ago = nowMs - timestampMs(at);
  return ago < 1000 ? "now" : `${describeElapsed(ago)} ago`;
}

/** UTC to the second. */
export function instant(at: Timestamp): string {
  return new Date(timestampMs(at)).toISOString().replace(/\.\d+Z$/, "Z");
}

/** From the start to the end, or until now. */
export function elapsedMs(
  from: Timestamp | undefined,
  to: Timestamp | undefined,
  nowMs: number,
): number | undefined {
  if (from === undefined) return undefined;
  return (to === undefined ? nowMs : timestampMs(to)) - timestampMs(from);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** `1 attempt`, `2 attempts`. */
export function count(number: number, thing: string, things = `${thing}s`): string {
  return `${number} ${number === 1 ? thing : things}`;
}
