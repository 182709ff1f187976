import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { limits } from "./limits.ts";
import { UsageError } from "./usage.ts";

/** The agent's own program, started with the address of the suite's hub in BATON_HUB. */
export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "close");
  }

  /** What it writes to stderr is shown; what it prints is not, because the lines on stdout are the suite's. */
  static async start(command: readonly string[], hub?: string): Promise<AgentProcess> {
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      env: { ...process.env, ...(hub !== undefined && { BATON_HUB: hub }) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    try {
      await once(child, "spawn");
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new UsageError("BATON-CHECK-002", `the program after -- does not start: ${why}`);
    }
    return new AgentProcess(child);
  }

  /** Lets it leave in good order, but does not wait for ever. */
  async end(): Promise<void> {
    this.#child.kill("SIGTERM");
    const tooLong = setTimeout(() => this.#child.kill("SIGKILL"), limits.killMs);
    await this.#ended;
    clearTimeout(tooLong);
  }
}
