import { type ChildProcess, spawn } from "node:child_process";
import { BoundedText } from "@baton/contract";
import type { Exec } from "../api/task.ts";
import { limits } from "../limits.ts";

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | undefined;
  readonly timeoutMs: number;
  readonly stdoutBytes: number;
  readonly signal: AbortSignal;
}

export interface ProcessEnd extends Exec {
  /** Whether a process existed. */
  readonly started: boolean;
}

/**
 * Runs a program in a process group of its own, so that no child process outlives it. On abort or timeout the group
 * gets SIGTERM and, after a grace, SIGKILL. Children that remain when the program exits are killed too.
 */
export function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const startedMs = performance.now();
  const output = new BoundedText(limits.outputHeadBytes, limits.outputTailBytes);
  const half = Math.ceil(request.stdoutBytes / 2);
  const stdout = new BoundedText(half, request.stdoutBytes - half);
  const finish = (end: Partial<ProcessEnd>): ProcessEnd => ({
    started: true,
    ok: false,
    exitCode: undefined,
    timedOut: false,
    output: output.toString(),
    stdout: stdout.toString(),
    durationMs: Math.round(performance.now() - startedMs),
    ...end,
  });
  let child: ChildProcess;
  try {
    child = spawn(request.command, [...request.args], {
      cwd: request.cwd,
      env: { ...request.env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      shell: false,
    });
  } catch (error) {
    return Promise.resolve(finish({ started: false, output: notStarted(error) }));
  }
  child.stdout?.on("data", (piece: Buffer) => {
    output.push(piece);
    stdout.push(piece);
  });
  child.stderr?.on("data", (piece: Buffer) => output.push(piece));
  child.stdin?.on("error", () => {}); // It may exit without reading its input.
  child.stdin?.end(request.input ?? "");
  return supervise(child, request, finish);
}

function supervise(
  child: ChildProcess,
  { timeoutMs, signal }: ProcessRequest,
  finish: (end: Partial<ProcessEnd>) => ProcessEnd,
): Promise<ProcessEnd> {
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, act: () => void) => timers.add(setTimeout(act, ms));
  let timedOut = false;

  const stop = () => {
    killGroup(child, "SIGTERM");
    after(limits.killMs, () => killGroup(child, "SIGKILL"));
  };
  const end = (ended: Partial<ProcessEnd>) => {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    killGroup(child, "SIGKILL");
    resolve(finish(ended));
  };

  child.once("error", (error) => {
    if (child.pid === undefined) end({ started: false, output: notStarted(error) });
  });
  child.once("exit", () => {
    // A child process may hold the pipes open: after the grace it is killed and the pipes are closed.
    after(limits.killMs, () => {
      killGroup(child, "SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
  });
  child.once("close", (code) => {
    end({ ok: code === 0 && !timedOut && !signal.aborted, exitCode: code ?? undefined, timedOut });
  });
  after(timeoutMs, () => {
    timedOut = true;
    stop();
  });
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return promise;
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty.
  }
}

function notStarted(error: unknown): string {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const cause = reason === "ENOENT" ? "there is no such program" : reason;
  return `cannot be started: ${cause}; pass the program and each argument separately, there is no shell`;
}
