import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { CliError } from "../errors/cli-error.ts";
import { signalBase } from "../exit-code.ts";
import { limits } from "../limits.ts";
import { printNote } from "../output.ts";
import { findServer } from "./find-server.ts";
import { startProgram } from "./start-program.ts";

/** The same as in the first line of the server's program, which has no effect here. */
const nodeOptions = ["--max-semi-space-size=64", "--no-allocation-site-pretenuring"];

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface ServerRun {
  readonly program: string;
  readonly args: readonly string[];
  /** Called with each line of its output and of its log; without them it inherits the streams. */
  readonly onOutput?: (line: string) => void;
  readonly onLog?: (line: string) => void;
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs the server until it ends, forwards signals, and returns its exit code. */
export async function runServer({ program, args, onOutput, onLog }: ServerRun): Promise<number> {
  const child = startProgram(program, args, {
    nodeOptions,
    stdout: onOutput ? "pipe" : "inherit",
    stderr: onLog ? "pipe" : "inherit",
  });
  // Forwarded once, not a second time by the terminal: a second signal makes the server end at once.
  let isRequested = false;
  for (const signal of forwarded) {
    process.on(signal, () => {
      isRequested = true;
      child.kill(signal);
    });
  }
  if (onOutput) readLines(child.stdout, onOutput);
  if (onLog) readLines(child.stderr, onLog);
  const { code, signal } = await ended(child);
  if (signal !== null && !isRequested) {
    const fix = "start it again: what it has acknowledged is stored, and runs go on from there";
    printNote(`the hub was killed (${signal}); ${fix}`);
  }
  return code ?? signalBase + (signal === null ? 0 : constants.signals[signal]);
}

function ended(child: ChildProcess): Promise<End> {
  return new Promise((resolve, reject) => {
    child.on("error", (cause) => {
      const fix = "check that the server is installed completely";
      reject(new CliError("BATON-CLI-006", `the server cannot be started: ${cause.message}`, { fix, cause }));
    });
    child.on("close", (code, signal) => {
      resolve({ code, signal });
    });
  });
}

function readLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = "";
  stream?.setEncoding("utf8");
  stream?.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    // A line without an end is passed on in parts, to bound the buffer.
    if (rest.length > limits.logLineCharacters) {
      lines.push(rest);
      rest = "";
    }
    for (const line of lines) onLine(line);
  });
  stream?.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}

/** Runs a query of the server's program, which prints one JSON document on standard output. */
export async function queryServer(args: readonly string[]): Promise<{ answer: unknown; code: number }> {
  const lines: string[] = [];
  const code = await runServer({ program: findServer(), args, onOutput: (line) => lines.push(line) });
  if (lines.length === 0) return { answer: undefined, code };
  try {
    return { answer: JSON.parse(lines.join("")), code };
  } catch (cause) {
    const fix = "check that the server is installed completely, and in the same version";
    throw new CliError("BATON-CLI-006", "the server gave no valid answer", { fix, cause });
  }
}
