import { limits } from "../limits.ts";
import { findServer } from "../server/find-server.ts";
import { type Ready, readReady } from "../server/ready-line.ts";
import { cannotRun } from "./cannot-run.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { Programs } from "./programs.ts";

export interface Addresses {
  readonly grpc: string;
  readonly http: string;
}

interface Setting {
  readonly folder: DemoFolder;
  /** Further arguments of the server. */
  readonly args: readonly string[];
  readonly at: Addresses;
  readonly signal: AbortSignal;
}

/** The hub's grace when it stops. Short, because nobody needs what is still running. */
const grace = "1s";

/** Starts the hub and waits until it is ready. */
export function startHub(programs: Programs, { folder, args: more, at, signal }: Setting): Promise<Ready> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const onOutput = (text: string) => {
      printed += text;
      const ready = printed.split("\n").slice(0, -1).map(readReady).find(Boolean);
      if (ready !== undefined) resolve(ready);
    };
    const files = ["--config", folder.config, "--data", folder.data];
    const args = [...files, "--grpc", at.grpc, "--http", at.http, ...more, "--grace", grace];
    programs.start({ path: findServer(), args, cwd: folder.path, env: hubEnvironment(folder), onOutput });
    const late = AbortSignal.timeout(limits.demoStartMs);
    late.addEventListener("abort", () => reject(cannotRun("the hub does not start", "try again")));
    for (const stop of [signal, programs.failure]) {
      stop.addEventListener("abort", () => reject(stop.reason));
      if (stop.aborted) reject(stop.reason);
    }
  });
}

/**
 * Settings of this machine for another hub do not apply: an empty variable counts as unset. Temporary files go into the
 * demonstration's folder, so that they are removed with it also when the hub is killed.
 */
function hubEnvironment({ temporary }: DemoFolder): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => name.startsWith("BATON_"));
  const unset = Object.fromEntries(names.map((name) => [name, ""]));
  return { ...unset, BATON_LOG_LEVEL: "warn", TMPDIR: temporary };
}
