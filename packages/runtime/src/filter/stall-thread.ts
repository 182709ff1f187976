/** The thread of `watchStalls`. It writes to standard error, where the log is, without asking the thread that stands still. */
import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { type StallOptions, shared, waysOut } from "./stall-watch.ts";

const { memory, limitMs }: StallOptions = workerData;
const seen = new Int32Array(memory);
let last = { call: 0, way: 0 };
let told: { readonly call: number; readonly way: number } | undefined;

setInterval(() => {
  const now = { call: Atomics.load(seen, shared.calls), way: Atomics.load(seen, shared.way) };
  const isSame = now.call === last.call && now.way === last.way;
  if (told && (told.call !== now.call || told.way !== now.way)) {
    tell(told.way, "redaction has come back");
    told = undefined;
  }
  if (now.way !== 0 && isSame && !told) {
    tell(now.way, "redaction does not come back, and nothing is written or sent until it does");
    told = now;
  }
  last = now;
}, limitMs);

/** Nothing in it comes from anybody, so that it needs no redaction. */
function tell(way: number, msg: string): void {
  const fatal = 60;
  const line = { level: fatal, time: Date.now(), code: "BATON-REDACTION-105", way: waysOut[way - 1], msg };
  writeSync(2, `${JSON.stringify(line)}\n`);
}
