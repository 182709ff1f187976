import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { BoundedText } from "@baton/contract";
import { Flow } from "./flow.ts";

export interface CommandLimits {
  readonly timeoutMs: number;
  /** Of output that is kept: half from the beginning, half from the end. */
  readonly outputBytes: number;
  /** Printed in all; a program that prints more is ended. */
  readonly printedBytes?: number;
  /** Read in a second; a program that prints faster has to wait. */
  readonly printedBytesPerSecond?: number;
}

export interface CommandRun {
  /** Undefined when it did not end by itself. */
  readonly exitCode: number | undefined;
  readonly output: string;
  /** Some of the output was left out. */
  readonly isCut: boolean;
  readonly timedOut: boolean;
  /** It was ended because it printed too much. */
  readonly flooded: boolean;
}

export interface CommandSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  /** Besides what every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** All that it gets, instead of what every program gets. */
  readonly onlyEnv?: Readonly<Record<string, string>>;
  /** Takes what it prints, instead of the run's own output. */
  readonly onOutput?: (chunk: Buffer, from: "stdout" | "stderr") => void;
  /** Takes what it prints to its standard output as it comes; then only what it says of errors is kept. */
  readonly onStdout?: (chunk: Buffer) => void;
}

/** What a program gets to know of the hub's surroundings: enough to be found and to run, and no secret. */
const passedOn = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"];

/** How long output is waited for when the program itself has ended. */
const lateOutputMs = 500;

/** Runs a program as a group of its own that ends with it, and keeps what it prints. */
export function runCommand(
  spec: CommandSpec,
  limits: CommandLimits,
  signal: AbortSignal,
): Promise<CommandRun> {
  return new Promise((resolve) => {
    const output = new BoundedText(limits.outputBytes);
    const told = { timedOut: false, flooded: false };
    const done = (exitCode: number | undefined) =>
      resolve({ exitCode, output: output.toString(), isCut: output.isCut, ...told });
    const child = start(spec);
    if (child instanceof Error) {
      output.push(Buffer.from(child.message));
      done(undefined);
      return;
    }
    const endGroup = () => killGroup(child);
    const timer = setTimeout(() => {
      told.timedOut = true;
      endGroup();
    }, limits.timeoutMs);
    signal.addEventListener("abort", endGroup, { once: true });
    if (signal.aborted) endGroup();
    const flow = new Flow(limits.printedBytesPerSecond, streamsOf(child));
    let late: NodeJS.Timeout | undefined;
    let printed = 0;
    let isOver = false;
    const finish = (exitCode: number | undefined) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(late);
      flow.stop();
      signal.removeEventListener("abort", endGroup);
      endGroup(); // What it left running must not outlive it.
      for (const stream of streamsOf(child)) stream.destroy(); // A grandchild that got away may hold them open.
      done(exitCode);
    };
    const take = (from: "stdout" | "stderr") => (chunk: Buffer) => {
      if (told.flooded || isOver) return;
      if (spec.onOutput) spec.onOutput(chunk, from);
      else if (spec.onStdout && from === "stdout") spec.onStdout(chunk);
      else output.push(chunk);
      printed += chunk.length;
      flow.passed(chunk.length);
      if (printed <= (limits.printedBytes ?? Number.POSITIVE_INFINITY)) return;
      told.flooded = true;
      endGroup();
    };
    child.stdout?.on("data", take("stdout"));
    child.stderr?.on("data", take("stderr"));
    child.on("error", (error) => {
      output.push(Buffer.from(error.message));
      finish(undefined);
    });
    // What it has printed is read to its end. A grandchild may hold the pipes open: that is not waited for.
    child.on("close", (code) => finish(code ?? undefined));
    child.on("exit", (code) => {
      flow.stop();
      late = setTimeout(() => finish(code ?? undefined), lateOutputMs);
    });
  });
}

/** What cannot be said to the system at all, such as an argument with a NUL in it, throws at once. */
function start({ file, args, directory, env, onlyEnv }: CommandSpec): ChildProcess | Error {
  try {
    return spawn(file, args, {
      cwd: directory,
      env: { ...(onlyEnv ?? hubVariables(passedOn)), ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Those of the hub's own variables that are set. */
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
    // It is gone already.
  }
}
