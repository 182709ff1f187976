import type { Worker } from "node:worker_threads";
import type { StoreFiles } from "./files.ts";
import { startThread } from "./start-thread.ts";

/**
 * How much is written to the log before it is moved into the database, about. When that does not keep up, commits move it
 * themselves (`checkpointPages` of the connection).
 */
const logBytes = 16 * 1024 * 1024;

/**
 * Moves the log into the database in a thread of its own, so that no commit waits for megabytes. What is committed
 * meanwhile is left, and moved by `finish` in the thread that writes: only a log that is moved to its end is begun anew,
 * and it has to be nobody's turn to write at that moment.
 */
export class LogMover {
  readonly #files: StoreFiles;
  readonly #finish: () => void;
  #grownBytes = 0;
  /** Since it was moved last; more than that when moving fails. */
  #leftBytes = 0;
  #worker: Worker | undefined;
  #isMoving = false;

  constructor(files: StoreFiles, finish: () => void) {
    this.#files = files;
    this.#finish = finish;
  }

  /** Whether the log is being moved, or has become so long that a commit has to do it. */
  get isDue(): boolean {
    return this.#isMoving || this.#leftBytes > 2 * logBytes;
  }

  /** Says that a commit has written about so much. */
  grown(bytes: number): void {
    this.#grownBytes += bytes;
    this.#leftBytes += bytes;
    if (this.#grownBytes < logBytes || this.#isMoving) return;
    this.#isMoving = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage("move");
  }

  /** The last one to close the database empties the log, so this comes before. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    // Whoever closes the store waits for it, also when nothing else keeps the process.
    worker.ref();
    await new Promise<void>((resolve) => {
      worker.once("exit", () => resolve());
      worker.postMessage("close");
    });
  }

  #start(): Worker {
    const worker = startThread(new URL("./log-mover-thread.ts", import.meta.url), this.#files.database);
    worker.unref();
    worker.on("message", () => this.#moved(worker));
    // It is tried again with a new thread; until then commits move the log when it becomes long.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#begin();
    });
    return worker;
  }

  #moved(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#leftBytes = 0;
    this.#begin();
    this.#finish();
  }

  #begin(): void {
    this.#isMoving = false;
    this.#grownBytes = 0;
  }
}
