import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Scratch {
  readonly folder: string;
  remove(): void;
}

/** A temporary folder, removed on request or after the end of this process, however it ends. */
export function makeScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "baton-chaos-"));
  // Waits for the end of its input, which ends with this process, and then for child processes to exit.
  const guard = spawn("sh", ["-c", 'cat >/dev/null; sleep 1; rm -rf -- "$1"', "sh", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  return {
    folder,
    remove() {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
      guard.stdin.end();
    },
  };
}
