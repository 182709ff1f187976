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
 * P1. None outlives this process: they get SIGTERM at a regular end, SIGKILL at any other, and end by themselves if this process
 *     is killed.
 * P2. A program that ends unexpectedly ends the demonstration.
 */
export class Programs {
  readonly #running: Running[] = [];
  readonly #failure = new AbortController();
  #isOver = false;

  /** Aborts with the reason when a program ends unexpectedly. */
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
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-limits.demoErrorCharacters);
    });
    const ended = new Promise<void>((resolve) => {
      child.on("error", (error) => {
        this.#fail(path, error.message);
        resolve();
      });
      child.on("close", (code) => {
        this.#fail(path, reasonIn(errors) || `it ended with ${code ?? "a signal"}`);
        resolve();
      });
    });
    this.#running.push({ child, ended });
  }

  /** Ends the programs, the last one first, so that agents detach before the hub stops. */
  async end(): Promise<void> {
    this.#isOver = true;
    for (const { child, ended } of this.#running.toReversed()) {
      child.kill("SIGTERM");
      const late = setTimeout(() => killGroup(child), limits.demoEndMs);
      await ended;
      clearTimeout(late);
    }
  }

  /** Kills them at once, without waiting, when this process ends. */
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
    child.kill("SIGKILL"); // Without process groups.
  }
}

/** The line of standard error that names the error. */
function reasonIn(errors: string): string {
  const lines = errors.split("\n").map((line) => line.trim());
  return lines.find((line) => /^(BATON-|\w*Error)/.test(line)) ?? lines.findLast((line) => line !== "") ?? "";
}
