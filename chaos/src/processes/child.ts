import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

const source = resolve(import.meta.dirname, "..");

/** Everything that was started and has not ended. It ends with this process, however that ends. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export interface Started {
  readonly child: ChildProcess;
  /** Resolves when it is gone. */
  readonly gone: Promise<Gone>;
}

export interface Gone {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Start {
  /** A file of this folder. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What to run it with, instead of Node alone. */
  readonly under?: readonly string[];
  /** Where its standard error goes. */
  readonly onError: (text: string) => void;
}

/** Starts a program of the chaos, with a line of messages to it. */
export function startProgram({ program, environment, under = [], onError }: Start): Started {
  const [command = process.execPath, ...args] = [...under, process.execPath, resolve(source, program)];
  const child = spawn(command, args, {
    env: { ...process.env, ...environment, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  running.add(child);
  child.stderr?.setEncoding("utf8").on("data", onError);
  // What is said to a program that is gone is lost, and it is seen to be gone.
  child.on("error", () => {});
  const gone = new Promise<Gone>((done) => {
    child.once("exit", (code, signal) => {
      running.delete(child);
      done({ code, signal });
    });
  });
  return { child, gone };
}
