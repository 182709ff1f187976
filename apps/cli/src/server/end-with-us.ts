/**
 * Loaded first by the programs that we start. Their standard input is a pipe from us, which ends when we do, however that
 * happens: then they are told to end as we would have told them.
 */
import { fstatSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread && isPipe()) {
  process.stdin.on("close", () => process.kill(process.pid, "SIGTERM")).resume();
  // It is not what keeps them going.
  process.stdin.unref();
}

/** As Node makes them, on any system. */
function isPipe(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    return false;
  }
}
