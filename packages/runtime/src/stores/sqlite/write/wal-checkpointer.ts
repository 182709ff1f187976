import type { Worker } from "node:worker_threads";
import { startThread } from "../../../lib/start-thread.ts";
import type { StoreFiles } from "../files.ts";

/** Bytes written to the log before a checkpoint. When checkpoints fall behind, commits do them (`checkpointPages`). */
const logBytes = 16 * 1024 * 1024;

/**
 * Checkpoints the write-ahead log in a thread of its own, so that no commit waits for megabytes. `finish` checkpoints what is
 * committed meanwhile, in the thread that writes: SQLite reuses the log only after a checkpoint to its end, while nothing else
 * is written.
 */
export class WalCheckpointer {
  readonly #files: StoreFiles;
  readonly #finish: () => void;
  #grownBytes = 0;
  /** Bytes since the last successful checkpoint. */
  #leftBytes = 0;
  #worker: Worker | undefined;
  #isRunning = false;

  constructor(files: StoreFiles, finish: () => void) {
    this.#files = files;
    this.#finish = finish;
  }

  /** Whether a checkpoint runs, or the log is so long that a commit has to do one. */
  get isDue(): boolean {
    return this.#isRunning || this.#leftBytes > 2 * logBytes;
  }

  /** Adds the approximate bytes of a commit. */
  grown(bytes: number): void {
    this.#grownBytes += bytes;
    this.#leftBytes += bytes;
    if (this.#grownBytes < logBytes || this.#isRunning) return;
    this.#isRunning = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage("checkpoint");
  }

  /** To be closed before the last connection, which empties the log. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    // Closing keeps the process alive.
    worker.ref();
    await new Promise<void>((resolve) => {
      worker.once("exit", () => resolve());
      worker.postMessage("close");
    });
  }

  #start(): Worker {
    const worker = startThread(
      new URL("./wal-checkpointer-thread.ts", import.meta.url),
      this.#files.database,
    );
    worker.unref();
    worker.on("message", () => this.#done(worker));
    // The next checkpoint starts a new thread; until then commits checkpoint a long log.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#reset();
    });
    return worker;
  }

  #done(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#leftBytes = 0;
    this.#reset();
    this.#finish();
  }

  #reset(): void {
    this.#isRunning = false;
    this.#grownBytes = 0;
  }
}
