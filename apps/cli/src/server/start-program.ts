import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

const endWithUs = new URL("./end-with-us.ts", import.meta.url).href;

export interface ProgramOptions extends Pick<SpawnOptions, "cwd" | "env"> {
  readonly nodeOptions?: readonly string[];
  readonly stdout: "pipe" | "inherit" | "ignore";
  readonly stderr: "pipe" | "inherit";
}

/**
 * Starts a program of Node that does not outlive us. It has a group of its own, so that Ctrl-C reaches it once, through us,
 * and what it started can be ended with it.
 */
export function startProgram(
  path: string,
  args: readonly string[],
  { nodeOptions = [], stdout, stderr, ...options }: ProgramOptions,
): ChildProcess {
  const child = spawn(process.execPath, [...nodeOptions, "--import", endWithUs, path, ...args], {
    ...options,
    stdio: ["pipe", stdout, stderr],
    detached: true,
  });
  // One that cannot be started has nobody who reads.
  child.stdin?.on("error", () => {});
  return child;
}
