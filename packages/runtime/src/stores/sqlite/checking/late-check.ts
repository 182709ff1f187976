import type { Worker } from "node:worker_threads";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { checkLimits } from "../../limits.ts";
import { damage, notLookedAt } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { startThread } from "../start-thread.ts";
import { hearError, type ToldError } from "../writing/told-error.ts";

/** What the thread tells, once, unless it is stopped before. */
export type Told =
  | { readonly kind: "faults"; readonly faults: readonly string[] }
  | { readonly kind: "failed"; readonly error: ToldError };

/**
 * Looks at every row of a store that is too large to be looked at before the hub starts, in a thread of its own, slowly
 * and a few rows at a time: nobody waits for it, the log is not held up, and it stops when it is told to.
 */
export class LateCheck {
  readonly #files: StoreFiles;
  readonly #onEnd: (problem: Error | undefined) => void;
  readonly #timer: NodeJS.Timeout;
  #worker: Worker | undefined;

  /** Begins soon. */
  constructor(files: StoreFiles, onEnd: (problem: Error | undefined) => void) {
    this.#files = files;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.#start(), checkLimits.waitMs).unref();
  }

  /** Resolves when the thread has let go of the files. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    await new Promise<void>((resolve) => {
      worker.once("exit", () => resolve());
      worker.postMessage("stop");
    });
  }

  #start(): void {
    const { database } = this.#files;
    const worker = startThread(new URL("./late-check-thread.ts", import.meta.url), this.#files);
    this.#worker = worker;
    worker.unref();
    worker.on("message", (told: Told) => this.#onEnd(problemOf(told, database)));
    worker.on("error", (error) => this.#onEnd(notLookedAt(database, error)));
    worker.on("exit", () => {
      this.#worker = undefined;
    });
  }
}

function problemOf(told: Told, place: string): Error | undefined {
  if (told.kind === "failed") return hearError(told.error);
  const [first, ...more] = told.faults;
  return first === undefined
    ? undefined
    : damage(place, more.length === 0 ? first : `${first}; and ${more.length} more`);
}

/** Damage is never passed over, also when nobody asked to hear of it. */
export function warnOf(problem: Error | undefined): void {
  if (problem === undefined) return;
  const told =
    problem instanceof StoreUnavailable ? { code: problem.code, detail: `fix: ${problem.fix}` } : {};
  process.emitWarning(problem.message, { type: "BatonStore", ...told });
}
