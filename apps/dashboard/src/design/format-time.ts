import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampMs } from "@bufbuild/protobuf/wkt";

export function msOf(at: Timestamp | undefined): number | undefined {
  return at === undefined ? undefined : timestampMs(at);
}

/** "2 h 5 min", "5 min 3 s", "3.2 s", "80 ms". */
export function formatSpan(ms: number): string {
  if (ms < 0) return "0 s";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

export function formatAgo(atMs: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - atMs) / 1_000));
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

/** "14:03:22.518", in the time zone of the reader. */
export function formatClock(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
  return `${clock}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** "18 Nov 2026, 14:03:22", in the time zone of the reader. */
export function formatDate(atMs: number): string {
  return new Date(atMs).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

export function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
