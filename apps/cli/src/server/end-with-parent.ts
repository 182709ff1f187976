/**
 * Preloaded by the programs that the command line starts. Their standard input is a pipe that closes when the command line
 * ends, in whatever way: then they get SIGTERM.
 */
import { fstatSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread && isPipe()) {
  process.stdin.on("close", () => process.kill(process.pid, "SIGTERM")).resume();
  // It does not keep the process alive.
  process.stdin.unref();
}

/** Node uses a pipe or a socket, depending on the system. */
function isPipe(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    return false;
  }
}
