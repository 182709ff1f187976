import type { Worker } from "node:worker_threads";
import { startThread } from "../../../lib/worker-calls.ts";
import { StoreUnavailable } from "../../../ports/store-error.ts";
import { checkLimits } from "../../limits.ts";
import { fromTransferred, type TransferredError } from "../error-transfer.ts";
import { damage, notChecked } from "../errors.ts";
import type { StoreFiles } from "../files.ts";

/** The message of the thread: one, or none when it is stopped before. */
export type CheckResult =
  | { readonly kind: "faults"; readonly faults: readonly string[] }
  | { readonly kind: "failed"; readonly error: TransferredError };

/**
 * Checks every row of a store that is too large for a check at the start, in a thread of its own. It reads a few rows at a time
 * with pauses, so that it delays neither callers nor checkpoints of the log.
 */
export class BackgroundCheck {
  readonly #files: StoreFiles;
  readonly #onEnd: (problem: Error | undefined) => void;
  readonly #timer: NodeJS.Timeout;
  #worker: Worker | undefined;

  /** Starts after a delay. */
  constructor(files: StoreFiles, onEnd: (problem: Error | undefined) => void) {
    this.#files = files;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.#start(), checkLimits.waitMs).unref();
  }

  /** Resolves when the thread has closed the files. */
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
    const worker = startThread(new URL("./background-check-thread.ts", import.meta.url), this.#files);
    this.#worker = worker;
    worker.unref();
    worker.on("message", (result: CheckResult) => this.#onEnd(problemOf(result, database)));
    worker.on("error", (error) => this.#onEnd(notChecked(database, error)));
    worker.on("exit", () => {
      this.#worker = undefined;
    });
  }
}

function problemOf(result: CheckResult, place: string): Error | undefined {
  if (result.kind === "failed") return fromTransferred(result.error);
  const [first, ...more] = result.faults;
  return first === undefined
    ? undefined
    : damage(place, more.length === 0 ? first : `${first}; and ${more.length} more`);
}

/** The default of `onBackgroundCheck`. */
export function emitWarning(problem: Error | undefined): void {
  if (problem === undefined) return;
  const options =
    problem instanceof StoreUnavailable ? { code: problem.code, detail: `fix: ${problem.fix}` } : {};
  process.emitWarning(problem.message, { type: "BatonStore", ...options });
}
