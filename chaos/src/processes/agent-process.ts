import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { limits } from "../limits.ts";
import type { SdkWork } from "../load/scenarios.ts";
import { type Started, startProgram } from "./child.ts";
import type { ToAgent } from "./messages.ts";

export interface AgentOptions {
  readonly pack: string;
  readonly instanceId: string;
  readonly taskTypes: readonly SdkWork[];
  readonly hub: string;
  /** The file of the attempts that it begins. */
  readonly runs: string;
  readonly logFile: string;
  readonly compileCache: string;
  /** The clock shift of its next process. */
  readonly clockShiftMs: () => number;
  /** Called when a process ends without being killed. */
  readonly onEnd: (how: string) => void;
}

/** One agent instance. After a kill, another process takes its name. */
export class AgentProcess {
  readonly instanceId: string;
  readonly #given: AgentOptions;
  readonly #killed = new WeakSet<Started["child"]>();
  #started: Started;
  #attached: Promise<void>;

  constructor(given: AgentOptions) {
    this.#given = given;
    this.instanceId = given.instanceId;
    this.#started = this.#start();
    this.#attached = this.#attaching();
  }

  /** Resolves when this process was attached for the first time. */
  get attached(): Promise<void> {
    return this.#attached;
  }

  async kill(): Promise<void> {
    const { child, gone } = this.#started;
    this.#killed.add(child);
    child.kill("SIGKILL");
    await gone;
  }

  begin(): void {
    this.#started = this.#start();
    this.#attached = this.#attaching();
  }

  send(message: ToAgent): void {
    const { child } = this.#started;
    if (child.connected) child.send(message);
  }

  /** Stops the process for longer than its lease, whatever it does. */
  async stopForAWhile(): Promise<void> {
    const { child } = this.#started;
    // A separate process continues it, also when this one is gone: a stopped process cannot end by itself.
    const waker = spawn(
      "sh",
      ["-c", 'sleep "$1"; kill -CONT "$2"', "sh", `${limits.stopMs / 1_000}`, `${child.pid}`],
      {
        detached: true,
        stdio: "ignore",
      },
    );
    child.kill("SIGSTOP");
    await once(waker, "exit");
  }

  #attaching(): Promise<void> {
    const { child, gone } = this.#started;
    return new Promise((done) => {
      child.once("message", () => done());
      void gone.then(() => done());
    });
  }

  #start(): Started {
    const { pack, instanceId, taskTypes, hub, runs, logFile, compileCache, clockShiftMs } = this.#given;
    const started = startProgram({
      program: "agents/agent-program.ts",
      environment: {
        CHAOS_PACK: pack,
        CHAOS_INSTANCE: instanceId,
        CHAOS_TASK_TYPES: taskTypes.join(","),
        CHAOS_HUB: hub,
        CHAOS_RUNS: runs,
        CHAOS_LOG: logFile,
        CHAOS_CLOCK_SHIFT_MS: String(clockShiftMs()),
        NODE_COMPILE_CACHE: compileCache,
      },
      onError: (text) => appendFileSync(logFile, `${instanceId} ${text}`),
    });
    void started.gone.then(({ code, signal }) => {
      if (!this.#killed.has(started.child)) this.#given.onEnd(String(signal ?? code));
    });
    return started;
  }
}
