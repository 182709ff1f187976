import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

const endWithParent = new URL("./end-with-parent.ts", import.meta.url).href;

export interface ProgramOptions extends Pick<SpawnOptions, "cwd" | "env"> {
  readonly nodeOptions?: readonly string[];
  readonly stdout: "pipe" | "inherit" | "ignore";
  readonly stderr: "pipe" | "inherit";
}

/**
 * Starts a Node program that does not outlive this process. It has its own process group, so that Ctrl-C reaches it once,
 * through this process, and its children can be ended with it.
 */
export function startProgram(
  path: string,
  args: readonly string[],
  { nodeOptions = [], stdout, stderr, ...options }: ProgramOptions,
): ChildProcess {
  const child = spawn(process.execPath, [...nodeOptions, "--import", endWithParent, path, ...args], {
    ...options,
    stdio: ["pipe", stdout, stderr],
    detached: true,
  });
  // The pipe of a program that cannot be started fails.
  child.stdin?.on("error", () => {});
  return child;
}
