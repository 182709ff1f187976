import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const child = fileURLToPath(new URL("./child.ts", import.meta.url));

export interface Started {
  readonly process: ChildProcess;
  /** Its output, line by line. */
  readonly lines: AsyncIterableIterator<string>;
  /** Kills it and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a task of `child.ts`; it is killed at the end of the test. */
export function startChild(task: string, directory: string): Started {
  const process_ = spawn(process.execPath, [child, task, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => process_.once("exit", () => resolve()));
  const kill = async () => {
    process_.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
  return { process: process_, lines, kill };
}

/** Mounts in a namespace of its own need no privileges, and end with the process. */
const namespaces = ["-Urm"];

export function canMount(): boolean {
  return spawnSync("unshare", [...namespaces, "mount", "-t", "tmpfs", "tmpfs", "/tmp"]).status === 0;
}

/** Runs a shell script in a namespace that allows mounts. `$1` is the directory, `baton` runs a task of `child.ts`. */
export function runWithMounts(directory: string, script: string): string {
  const baton = `baton() { "${process.execPath}" "${child}" "$@"; }`;
  const { stdout, stderr, status } = spawnSync(
    "unshare",
    [...namespaces, "sh", "-euc", `${baton}\n${script}`, "sh", directory],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the script ended with ${status}: ${stderr}`);
  return stdout;
}
