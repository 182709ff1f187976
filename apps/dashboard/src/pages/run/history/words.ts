import type { Tone } from "../../../design/status.tsx";

/** "at work" for DISPATCHED, as elsewhere on the page. */
export function wordOf(status: string): string {
  if (status === "DISPATCHED") return "at work";
  return status === "NONE" ? "nothing" : status.toLowerCase().replaceAll("_", " ");
}

export function toneOf(status: string): Tone {
  if (status === "COMPLETED") return "good";
  if (["FAILED", "REJECTED", "ABORTED", "TRIED_AGAIN"].includes(status)) return "bad";
  if (status === "DISPATCHED" || status === "RUNNING") return "busy";
  return status === "PAUSED" || status === "READY" ? "asks" : "quiet";
}
