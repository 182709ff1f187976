import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

const source = resolve(import.meta.dirname, "..");

/** All running programs. They end with this process, however it ends. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export interface Started {
  readonly child: ChildProcess;
  readonly gone: Promise<Gone>;
}

export interface Gone {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Start {
  /** A file below src/. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A command that runs Node. */
  readonly under?: readonly string[];
  /** Called with the standard error. */
  readonly onError: (text: string) => void;
}

/** Starts a program with a message channel. */
export function startProgram({ program, environment, under = [], onError }: Start): Started {
  const [command = process.execPath, ...args] = [...under, process.execPath, resolve(source, program)];
  const child = spawn(command, args, {
    env: { ...process.env, ...environment, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  running.add(child);
  child.stderr?.setEncoding("utf8").on("data", onError);
  // Messages to an ended program are lost.
  child.on("error", () => {});
  const gone = new Promise<Gone>((done) => {
    child.once("exit", (code, signal) => {
      running.delete(child);
      done({ code, signal });
    });
  });
  return { child, gone };
}
