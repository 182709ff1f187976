import { WorkerCalls } from "../../../lib/worker-calls.ts";
import type { StoreFiles } from "../files.ts";

/** Bytes written to the log before a checkpoint. When checkpoints fall behind, commits do them (`checkpointPages`). */
const logBytes = 16 * 1024 * 1024;

/**
 * Checkpoints the write-ahead log in a thread of its own, so that no commit waits for megabytes. `finish` checkpoints what is
 * committed meanwhile, in the thread that writes: SQLite reuses the log only after a checkpoint to its end, while nothing else
 * is written.
 */
export class WalCheckpointer {
  readonly #calls: WorkerCalls<"checkpoint" | "close", "done">;
  readonly #finish: () => void;
  #grownBytes = 0;
  /** Bytes since the last successful checkpoint. */
  #leftBytes = 0;
  #isRunning = false;
  #isClosed = false;

  constructor(files: StoreFiles, finish: () => void) {
    const source = new URL("./wal-checkpointer-thread.ts", import.meta.url);
    this.#calls = new WorkerCalls(source, files.database);
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
    if (this.#grownBytes < logBytes || this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    // After a failure the next checkpoint starts a new thread; until then commits checkpoint a long log.
    this.#calls.call("checkpoint").then(
      () => this.#done(),
      () => this.#reset(),
    );
  }

  /** To be closed before the last connection, which empties the log. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#calls.end("close").catch(() => {});
  }

  #done(): void {
    if (this.#isClosed) return;
    this.#leftBytes = 0;
    this.#reset();
    this.#finish();
  }

  #reset(): void {
    this.#isRunning = false;
    this.#grownBytes = 0;
  }
}
