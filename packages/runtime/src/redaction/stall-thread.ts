/** The thread of `watchStalls`. It writes to standard error, where the log is, without the blocked thread. */
import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { egresses, type StallOptions, shared } from "./stall-watch.ts";

const { memory, limitMs }: StallOptions = workerData;
const seen = new Int32Array(memory);
let last = { call: 0, egress: 0 };
let reported: { readonly call: number; readonly egress: number } | undefined;

setInterval(() => {
  const now = { call: Atomics.load(seen, shared.calls), egress: Atomics.load(seen, shared.egress) };
  const isSame = now.call === last.call && now.egress === last.egress;
  if (reported && (reported.call !== now.call || reported.egress !== now.egress)) {
    if (report(reported.egress, "redaction has come back")) reported = undefined;
  } else if (now.egress !== 0 && isSame && !reported) {
    const text = "redaction does not come back, and nothing is written or sent until it does";
    if (report(now.egress, text)) reported = now;
  }
  last = now;
}, limitMs);

/**
 * Writes a line. It contains no input, so it needs no redaction. False when standard error takes nothing, such as a full
 * pipe: the next check tries again.
 */
function report(egress: number, msg: string): boolean {
  const fatal = 60;
  const line = {
    level: fatal,
    time: Date.now(),
    code: "BATON-REDACTION-105",
    egress: egresses[egress - 1],
    msg,
  };
  try {
    writeSync(2, `${JSON.stringify(line)}\n`);
    return true;
  } catch {
    return false;
  }
}
