import { type ChildProcess, spawn } from "node:child_process";
import { BoundedText } from "@baton/contract";
import { limits } from "../limits.ts";
import type { Exec } from "./exec-options.ts";

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
  /** Whether there was a process at all. */
  readonly started: boolean;
}

/**
 * Runs a program in a process group of its own, so that nothing it starts outlives it: on abort or timeout the whole
 * group gets SIGTERM and, after a grace, SIGKILL; what is left when the program has ended by itself goes the same way.
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
  child.stdin?.on("error", () => {}); // It may end without reading what we give it.
  child.stdin?.end(request.input ?? "");
  return watch(child, request, finish);
}

function watch(
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
    // Something it started may still hold the pipes: it has the same grace, then the pipes are let go.
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
    // Nobody of the group is left.
  }
}

function notStarted(error: unknown): string {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const told = reason === "ENOENT" ? "there is no such program" : reason;
  return `cannot be started: ${told}; the program and each argument are separate, no shell parts them`;
}
