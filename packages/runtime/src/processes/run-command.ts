import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { BoundedText } from "@baton/contract";
import { Throttle } from "./throttle.ts";

export interface CommandLimits {
  readonly timeoutMs: number;
  /** Retained output: half from the beginning, half from the end. */
  readonly outputBytes: number;
  /** Maximum output; a program that exceeds it is killed. */
  readonly printedBytes?: number;
  /** Throughput at which output is read; faster programs block. */
  readonly printedBytesPerSecond?: number;
}

export interface CommandRun {
  /** Undefined when it was killed or did not start. */
  readonly exitCode: number | undefined;
  readonly output: string;
  /** Some of the output was omitted. */
  readonly isCut: boolean;
  readonly timedOut: boolean;
  /** It was killed for printing too much. */
  readonly flooded: boolean;
}

export interface CommandSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  /** Additional variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces the default variables. */
  readonly onlyEnv?: Readonly<Record<string, string>>;
  /** Written to its standard input, which is empty otherwise. */
  readonly input?: string;
  /** Receives the output, which is then not retained. */
  readonly onOutput?: (chunk: Buffer, from: "stdout" | "stderr") => void;
  /** Receives standard output; only standard error is retained. */
  readonly onStdout?: (chunk: Buffer) => void;
}

/** Variables of the hub that programs get: enough to be found and to run, and no secret. */
const inheritedVariables = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"];

/** How long to wait for output after the program has exited. */
const lateOutputMs = 500;

/** Runs a program in its own process group, which is killed when it ends, and retains its output. */
export function runCommand(
  spec: CommandSpec,
  limits: CommandLimits,
  signal: AbortSignal,
): Promise<CommandRun> {
  return new Promise((resolve) => {
    const output = new BoundedText(limits.outputBytes);
    const outcome = { timedOut: false, flooded: false };
    const done = (exitCode: number | undefined) =>
      resolve({ exitCode, output: output.toString(), isCut: output.isCut, ...outcome });
    const child = start(spec);
    if (child instanceof Error) {
      output.push(Buffer.from(child.message));
      done(undefined);
      return;
    }
    const endGroup = () => killGroup(child);
    const timer = setTimeout(() => {
      outcome.timedOut = true;
      endGroup();
    }, limits.timeoutMs);
    signal.addEventListener("abort", endGroup, { once: true });
    if (signal.aborted) endGroup();
    const throttle = new Throttle(limits.printedBytesPerSecond, streamsOf(child));
    let lateTimer: NodeJS.Timeout | undefined;
    let printed = 0;
    let isFinished = false;
    const finish = (exitCode: number | undefined) => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      clearTimeout(lateTimer);
      throttle.stop();
      signal.removeEventListener("abort", endGroup);
      endGroup(); // Child processes must not outlive it.
      for (const stream of streamsOf(child)) stream.destroy(); // A process outside of the group may hold them open.
      done(exitCode);
    };
    const take = (from: "stdout" | "stderr") => (chunk: Buffer) => {
      if (outcome.flooded || isFinished) return;
      if (spec.onOutput) spec.onOutput(chunk, from);
      else if (spec.onStdout && from === "stdout") spec.onStdout(chunk);
      else output.push(chunk);
      printed += chunk.length;
      throttle.passed(chunk.length);
      if (printed <= (limits.printedBytes ?? Number.POSITIVE_INFINITY)) return;
      outcome.flooded = true;
      endGroup();
    };
    // A program may end without reading everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(spec.input);
    child.stdout?.on("data", take("stdout"));
    child.stderr?.on("data", take("stderr"));
    child.on("error", (error) => {
      output.push(Buffer.from(error.message));
      finish(undefined);
    });
    // "close" follows when all output was read; a process that holds the pipes open delays it, so "exit" starts a
    // timer.
    child.on("close", (code) => finish(code ?? undefined));
    child.on("exit", (code) => {
      throttle.stop();
      lateTimer = setTimeout(() => finish(code ?? undefined), lateOutputMs);
    });
  });
}

/** spawn throws for arguments that the system rejects, such as one with a NUL. */
function start({ file, args, directory, env, onlyEnv, input }: CommandSpec): ChildProcess | Error {
  try {
    return spawn(file, args, {
      cwd: directory,
      env: { ...(onlyEnv ?? hubVariables(inheritedVariables)), ...env },
      detached: true,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The named variables of the hub that are set. */
export function hubVariables(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name] ?? ""]] : [])),
  );
}

function streamsOf({ stdout, stderr }: ChildProcess): readonly Readable[] {
  return [stdout, stderr].flatMap((stream) => stream ?? []);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}
