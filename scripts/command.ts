/** Runs other programs: always an argument list, never a line for a shell. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter } from "node:path";
import { inTree, root } from "./tree.ts";

export interface Finished {
  readonly code: number;
  /** What the program wrote, both streams in the order they arrived. */
  readonly output: string;
}

type Environment = Readonly<Record<string, string>>;

/** The usual answer of a shell for a program that is not there. */
export const notFound = 127;

const running = new Set<ChildProcess>();
let interruptedBy: NodeJS.Signals | undefined;

/** Runs a program and keeps what it writes. */
export function capture(command: string, args: readonly string[], env: Environment = {}): Promise<Finished> {
  return run(command, args, { env, folder: root, isPrinted: false });
}

/** The same in another folder than the root of the repository. */
export function captureIn(folder: string, command: string, args: readonly string[]): Promise<Finished> {
  return run(command, args, { env: {}, folder, isPrinted: false });
}

/** Runs a program on our own terminal and gives its exit code. */
export async function show(command: string, args: readonly string[], env: Environment = {}): Promise<number> {
  const { code, output } = await run(command, args, { env, folder: root, isPrinted: true });
  if (output !== "") process.stderr.write(`${output}\n`);
  return code;
}

interface Setting {
  readonly env: Environment;
  readonly folder: string;
  readonly isPrinted: boolean;
}

function run(
  command: string,
  args: readonly string[],
  { env, folder, isPrinted }: Setting,
): Promise<Finished> {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env, PATH: [inTree("node_modules/.bin"), process.env.PATH].join(delimiter) },
      stdio: isPrinted ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const finish = (finished: Finished) => {
      running.delete(child);
      if (interruptedBy === undefined) done(finished);
      else if (running.size === 0) process.exit(exitCode(interruptedBy));
    };
    child.on("error", (error) =>
      finish({ code: notFound, output: `${command} cannot be started: ${error.message}` }),
    );
    child.on("close", (code, signal) => {
      finish({ code: code ?? (signal === null ? 1 : exitCode(signal)), output: output.trim() });
    });
  });
}

/** On Ctrl-C or a request to end: the programs we started end first, then we do, and nothing more is started. */
export function endTogether(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (interruptedBy !== undefined || running.size === 0) process.exit(exitCode(signal));
      interruptedBy = signal;
      process.stderr.write("interrupted\n");
      // On a terminal Ctrl-C has reached them already; a second one would mean "force".
      if (signal === "SIGINT" && process.stdin.isTTY) return;
      for (const child of running) child.kill(signal);
    });
  }
}

function exitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
