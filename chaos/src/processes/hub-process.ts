import type { Point } from "@baton/runtime";
import { limits } from "../limits.ts";
import { type Gone, type Started, startProgram } from "./child.ts";
import { type FromHub, isFromHub, type ToHub } from "./messages.ts";

export interface HubOptions {
  readonly data: string;
  readonly grpcPort: number;
  readonly httpPort: number;
  /** The host that agents use, since they connect through the proxy. */
  readonly allowedHost: string;
  /** Receives the ends of all runs. */
  readonly hookUrl: string;
  readonly logFile: string;
  readonly compileCache: string;
  readonly onProblem: (problem: Extract<FromHub, { kind: "problem" }>) => void;
  /** A command that runs the hub. */
  readonly under?: readonly string[];
}

export interface HubProcessOptions {
  readonly clockShiftMs: number;
  /** Armed from the start, so that recovery may reach the point. */
  readonly killAt?: { readonly point: Point; readonly at: number } | undefined;
}

/** One hub process. */
export class HubProcess {
  readonly gone: Promise<Gone>;
  /** Resolves when it accepts calls; rejects when it ends before. */
  readonly ready: Promise<void>;
  readonly #started: Started;
  readonly #listeners = new Map<FromHub["kind"], () => void>();
  #errors = "";
  #wasKilled = false;

  constructor(place: HubOptions, { clockShiftMs, killAt }: HubProcessOptions) {
    this.#started = startProgram({
      program: "hub-program.ts",
      ...(place.under && { under: place.under }),
      environment: {
        CHAOS_DATA: place.data,
        CHAOS_GRPC: String(place.grpcPort),
        CHAOS_HTTP: String(place.httpPort),
        CHAOS_ALLOWED_HOST: place.allowedHost,
        CHAOS_HOOK_URL: place.hookUrl,
        CHAOS_LOG: place.logFile,
        CHAOS_CLOCK_SHIFT_MS: String(clockShiftMs),
        NODE_COMPILE_CACHE: place.compileCache,
        ...(killAt && { CHAOS_KILL_POINT: killAt.point, CHAOS_KILL_AT: String(killAt.at) }),
      },
      onError: (text) => {
        this.#errors = (this.#errors + text).slice(-4_000);
      },
    });
    this.gone = this.#started.gone;
    this.#started.child.on("message", (message) => {
      if (!isFromHub(message)) return;
      if (message.kind === "problem") place.onProblem(message);
      this.#listeners.get(message.kind)?.();
    });
    this.ready = this.#receives("ready");
    this.ready.catch(() => {});
  }

  get pid(): number {
    return this.#started.child.pid ?? 0;
  }

  /** Whether it was killed from outside; at its point a hub kills itself. */
  get wasKilled(): boolean {
    return this.#wasKilled;
  }

  /** The end of its standard error. */
  get errors(): string {
    return this.#errors;
  }

  /** Whether the hub was connected. */
  send(message: ToHub): boolean {
    const { child } = this.#started;
    if (child.connected) child.send(message);
    return child.connected;
  }

  async ask(message: ToHub, answer: FromHub["kind"]): Promise<void> {
    const answered = this.#receives(answer);
    this.send(message);
    await answered;
  }

  async kill(): Promise<Gone> {
    this.#wasKilled = true;
    this.#started.child.kill("SIGKILL");
    return this.gone;
  }

  async stop(copyTo?: string): Promise<Gone> {
    this.send({ kind: "stop", ...(copyTo !== undefined && { copyTo }) });
    return this.gone;
  }

  #receives(kind: FromHub["kind"]): Promise<void> {
    return new Promise((done, failed) => {
      const late = setTimeout(() => failed(new Error(`the hub is not ${kind} in time`)), limits.startMs);
      this.#listeners.set(kind, () => {
        clearTimeout(late);
        done();
      });
      void this.gone.then(({ code, signal }) => {
        clearTimeout(late);
        failed(new Error(`the hub ended with ${signal ?? code} before it was ${kind}: ${this.#errors}`));
      });
    });
  }
}
