import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { backoffDelayMs } from "@baton/contract";
import type { HostConfig, HostReport } from "@baton/models/host-config";
import type { Logger } from "pino";

/** Delays before a host that died is started again. */
const restart = { firstMs: 500, maxMs: 30_000 } as const;

/** After so long the next failure counts as the first. */
const steadyMs = 60_000;

/** How long the start of the hub waits for its model agents. */
const attachMs = 10_000;

/** From the end of its standard input to SIGKILL. */
const stopMs = 5_000;

const maxLineLength = 4_096;

/** The host passes on what it needs itself; keys come with the configuration. */
const passedVariables = ["PATH", "HOME", "NODE_COMPILE_CACHE"] as const;

/** The process with the model agents of the hub. It is started again when it dies, and ends with the hub. */
export class HostProcess {
  readonly #log: Logger;
  #current: HostConfig;
  #child: ChildProcessWithoutNullStreams | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isStopped = false;
  /** Reports to come before all agents of the first configuration are attached, or cannot be. */
  #awaited: number;
  readonly #settled = Promise.withResolvers<void>();
  #warning: string | undefined;

  constructor(config: HostConfig, log: Logger) {
    this.#log = log;
    this.#current = config;
    this.#awaited = config.packs.length * config.tenants.length;
    this.#start();
  }

  /** Resolves when the agents have been attached, or take too long: the first tasks should find them. */
  async settled(): Promise<void> {
    const waiting = setTimeout(() => this.#settled.resolve(), attachMs);
    await this.#settled.promise;
    clearTimeout(waiting);
  }

  /** Why model agents do not work at the moment. */
  get warning(): string | undefined {
    return this.#warning;
  }

  configure(config: HostConfig): void {
    this.#current = config;
    this.#send();
  }

  /** Ends the process; what its agents still do is lost. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.stdin.end();
    const killing = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await ended;
    clearTimeout(killing);
  }

  #start(): void {
    const program = findHost();
    if (program === undefined) {
      this.#warning = "model agents do not work: the package @baton/models is not installed";
      this.#log.error({ fix: "npm install @baton/models" }, this.#warning);
      this.#settled.resolve();
      return;
    }
    const startedMs = performance.now();
    const variables = passedVariables.map((name) => [name, process.env[name]] as const);
    const env = Object.fromEntries(variables.filter(([, value]) => value !== undefined));
    const child = spawn(process.execPath, [program], { env, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    this.#log.info({ pid: child.pid }, "the host of model agents is started");
    child.on("error", (error) =>
      this.#log.error({ err: error }, "the host of model agents cannot be started"),
    );
    // A host that has just died does not read; its end is reported below.
    child.stdin.on("error", () => {});
    createInterface({ input: child.stdout }).on("line", (line) => this.#report(line));
    createInterface({ input: child.stderr }).on("line", (line) =>
      this.#log.warn({ line: line.slice(0, maxLineLength) }, "the host of model agents wrote"),
    );
    child.once("close", (code, signal) => {
      this.#child = undefined;
      this.#settled.resolve();
      if (this.#isStopped) return;
      this.#failures = performance.now() - startedMs > steadyMs ? 1 : this.#failures + 1;
      const delayMs = backoffDelayMs(this.#failures, restart);
      this.#warning = "model agents do not work: their host ended and is started again";
      this.#log.error({ code, signal, delayMs }, "the host of model agents ended; it is started again");
      this.#timer = setTimeout(() => this.#start(), delayMs);
    });
    this.#send();
  }

  #send(): void {
    this.#child?.stdin.write(`${JSON.stringify(this.#current)}\n`);
  }

  #report(line: string): void {
    const report = readReport(line);
    if (report === undefined) return this.#log.warn({ line: line.slice(0, maxLineLength) }, "unknown report");
    if (--this.#awaited <= 0) this.#settled.resolve();
    const { kind, ...more } = report;
    if (kind === "problem") return this.#log.warn(more, "a problem of a model agent");
    this.#warning = undefined;
    this.#log.info(more, "a model agent is attached");
  }
}

/** Undefined when the package is not installed: hubs without model agents work without it. */
function findHost(): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve("@baton/models/host"));
  } catch {
    return undefined;
  }
}

function readReport(line: string): HostReport | undefined {
  try {
    return JSON.parse(line) as HostReport;
  } catch {
    return undefined;
  }
}
