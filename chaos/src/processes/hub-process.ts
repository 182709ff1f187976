import type { Point } from "@baton/runtime";
import { limits } from "../limits.ts";
import { type Gone, type Started, startProgram } from "./child.ts";
import { type FromHub, isFromHub, type ToHub } from "./messages.ts";

export interface HubPlace {
  readonly data: string;
  readonly grpcPort: number;
  readonly httpPort: number;
  /** By which agents call it: they reach it by another port. */
  readonly allowedHost: string;
  readonly logFile: string;
  readonly compileCache: string;
  readonly onProblem: (problem: Extract<FromHub, { kind: "problem" }>) => void;
  /** Where it runs, when not where everybody does. */
  readonly under?: readonly string[];
}

export interface LifeGiven {
  readonly clockShiftMs: number;
  /** Dies at this point from the first moment on: recovery reaches some of them too. */
  readonly killAt?: { readonly point: Point; readonly at: number } | undefined;
}

/** One life of the hub: a process from its start to its end. */
export class HubProcess {
  readonly gone: Promise<Gone>;
  /** Resolves when it takes calls; rejects when it ends before. */
  readonly ready: Promise<void>;
  readonly #started: Started;
  readonly #heard = new Map<FromHub["kind"], () => void>();
  #errors = "";
  #wasKilled = false;

  constructor(place: HubPlace, { clockShiftMs, killAt }: LifeGiven) {
    this.#started = startProgram({
      program: "hub-program.ts",
      ...(place.under && { under: place.under }),
      environment: {
        CHAOS_DATA: place.data,
        CHAOS_GRPC: String(place.grpcPort),
        CHAOS_HTTP: String(place.httpPort),
        CHAOS_ALLOWED_HOST: place.allowedHost,
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
      this.#heard.get(message.kind)?.();
    });
    this.ready = this.#hears("ready");
    this.ready.catch(() => {});
  }

  get pid(): number {
    return this.#started.child.pid ?? 0;
  }

  /** From outside, that is; a hub that comes to its point kills itself. */
  get wasKilled(): boolean {
    return this.#wasKilled;
  }

  /** What it wrote to its standard error last. */
  get errors(): string {
    return this.#errors;
  }

  /** Whether there was anybody to say it to. */
  say(message: ToHub): boolean {
    const { child } = this.#started;
    if (child.connected) child.send(message);
    return child.connected;
  }

  async ask(message: ToHub, answer: FromHub["kind"]): Promise<void> {
    const answered = this.#hears(answer);
    this.say(message);
    await answered;
  }

  /** The power goes. */
  async kill(): Promise<Gone> {
    this.#wasKilled = true;
    this.#started.child.kill("SIGKILL");
    return this.gone;
  }

  /** Ends in order. */
  async stop(copyTo?: string): Promise<Gone> {
    this.say({ kind: "stop", ...(copyTo !== undefined && { copyTo }) });
    return this.gone;
  }

  #hears(kind: FromHub["kind"]): Promise<void> {
    return new Promise((done, failed) => {
      const late = setTimeout(() => failed(new Error(`the hub was not ${kind} in time`)), limits.startMs);
      this.#heard.set(kind, () => {
        clearTimeout(late);
        done();
      });
      void this.gone.then(({ code, signal }) => {
        clearTimeout(late);
        failed(new Error(`the hub ended with ${signal ?? code} and was not ${kind}: ${this.#errors}`));
      });
    });
  }
}
