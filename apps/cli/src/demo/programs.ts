import type { ChildProcess } from "node:child_process";
import { basename } from "node:path";
import { limits } from "../limits.ts";
import { startProgram } from "../server/start-program.ts";
import { cannotRun } from "./cannot-run.ts";

export interface Program {
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly onOutput?: (text: string) => void;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

/**
 * The programs of the demonstration.
 *
 * P1. None outlives us: they are told to end when we end in good order, killed when we end otherwise, and end by themselves when
 *     nobody could tell them.
 * P2. One that ends by itself ends the demonstration.
 */
export class Programs {
  readonly #running: Running[] = [];
  readonly #failure = new AbortController();
  #isOver = false;

  /** Fires when a program ends that should not, with the reason why. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  start({ path, args = [], env = {}, cwd, onOutput }: Program): void {
    const child = startProgram(path, args, {
      cwd,
      env: { ...process.env, ...env },
      stdout: onOutput === undefined ? "ignore" : "pipe",
      stderr: "pipe",
    });
    if (onOutput !== undefined) child.stdout?.setEncoding("utf8").on("data", onOutput);
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-limits.demoErrorCharacters);
    });
    const ended = new Promise<void>((resolve) => {
      child.on("error", (error) => {
        this.#fail(path, error.message);
        resolve();
      });
      child.on("close", (code) => {
        this.#fail(path, reasonIn(said) || `it ended with ${code ?? "a signal"}`);
        resolve();
      });
    });
    this.#running.push({ child, ended });
  }

  /** Ends them, the last one first: agents leave before the hub goes. */
  async end(): Promise<void> {
    this.#isOver = true;
    for (const { child, ended } of this.#running.toReversed()) {
      child.kill("SIGTERM");
      const late = setTimeout(() => killGroup(child), limits.demoEndMs);
      await ended;
      clearTimeout(late);
    }
  }

  /** At once, and without waiting: for when our own process ends. */
  kill(): void {
    this.#isOver = true;
    for (const { child } of this.#running) killGroup(child);
  }

  #fail(path: string, reason: string): void {
    if (this.#isOver || this.#failure.signal.aborted) return;
    const name = basename(path);
    this.#failure.abort(cannotRun(`${name} has ended: ${reason}`, `see whether ${name} runs by itself`));
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // Where there are no groups.
  }
}

/** What a person should read of it: the line that names the error. */
function reasonIn(said: string): string {
  const lines = said.split("\n").map((line) => line.trim());
  return lines.find((line) => /^(BATON-|\w*Error)/.test(line)) ?? lines.findLast((line) => line !== "") ?? "";
}
