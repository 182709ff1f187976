import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { CliError } from "../errors/cli-error.ts";
import { signalBase } from "../exit-code.ts";
import { limits } from "../limits.ts";
import { tell } from "../writing.ts";
import { startProgram } from "./start-program.ts";

/** As the first line of the server's program has it, which does not count here. */
const nodeOptions = ["--max-semi-space-size=64", "--no-allocation-site-pretenuring"];

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface ServerRun {
  readonly program: string;
  readonly args: readonly string[];
  /** Every line that it prints on standard output and on standard error; without them it has ours. */
  readonly onOutput?: (line: string) => void;
  readonly onLog?: (line: string) => void;
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs the server until it ends, passes on what we are told to do, and gives its exit code. */
export async function runServer({ program, args, onOutput, onLog }: ServerRun): Promise<number> {
  const child = startProgram(program, args, {
    nodeOptions,
    stdout: onOutput ? "pipe" : "inherit",
    stderr: onLog ? "pipe" : "inherit",
  });
  // Once, and not once more by the terminal: to the server a second one means "at once".
  let isAsked = false;
  for (const signal of forwarded) {
    process.on(signal, () => {
      isAsked = true;
      child.kill(signal);
    });
  }
  if (onOutput) readLines(child.stdout, onOutput);
  if (onLog) readLines(child.stderr, onLog);
  const { code, signal } = await ended(child);
  if (signal !== null && !isAsked) {
    const fix = "start it again: what it has acknowledged is stored, and runs go on from there";
    tell(`the hub was killed (${signal}); ${fix}`);
  }
  return code ?? signalBase + (signal === null ? 0 : constants.signals[signal]);
}

function ended(child: ChildProcess): Promise<End> {
  return new Promise((resolve, reject) => {
    child.on("error", (cause) => {
      const fix = "see whether the server is installed whole";
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
    // A line without an end is handed on in parts rather than gathered for ever.
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
