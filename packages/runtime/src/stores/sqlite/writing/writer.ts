import type { Worker } from "node:worker_threads";
import type { Batch, CheckpointRow, KeptNode, Retention } from "../../../ports/store.ts";
import { packingSizes } from "../../limits.ts";
import { isDoubtful, threadEnded } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { LogMover } from "../log-mover.ts";
import { sizeInLog } from "../size-in-log.ts";
import { startThread } from "../start-thread.ts";
import { packBatch } from "./packed-batch.ts";
import { Packer } from "./packer.ts";
import { hearError, type ToldError } from "./told-error.ts";

/** What the thread is asked to do. The memory of a batch goes to the thread, and comes back with the answer. */
export type Order =
  | { readonly kind: "write"; readonly packed: ArrayBuffer }
  | { readonly kind: "keep"; readonly row: CheckpointRow; readonly nodes: readonly KeptNode[] }
  | { readonly kind: "prune"; readonly keep: Retention }
  | { readonly kind: "move-rest" }
  | { readonly kind: "close" };

export interface Answer {
  /** Of a batch. */
  readonly packed: ArrayBuffer | undefined;
  readonly error: ToldError | undefined;
  /** Of pruning: whether there may be more to remove. */
  readonly more?: boolean;
}

interface Waiting {
  readonly done: (more: boolean) => void;
  readonly failed: (error: Error) => void;
}

/**
 * Hands batches to the thread that writes them, one at a time, so that the thread of the hub waits neither for SQLite nor
 * for the disk. A thread that dies takes the batch with it that it has; the next batch gets a new one.
 */
export class Writer {
  readonly #files: StoreFiles;
  #worker: Worker | undefined;
  #mover: LogMover;
  #memory: ArrayBuffer | undefined;
  #waiting: Waiting | undefined;
  /** Settles, and never fails, when everything that was handed over is answered. */
  #last: Promise<void> = Promise.resolve();

  /** The thread begins at once, so that it is there when the first batch comes. */
  constructor(files: StoreFiles) {
    this.#files = files;
    this.#worker = this.#start();
    this.#mover = this.#newMover();
  }

  /** Resolves when the batch is durable. Throws `Conflict` or `StoreUnavailable`. */
  write(batch: Batch): Promise<void> {
    return this.#inTurn(() => this.#writeNow(batch));
  }

  /** The same for a checkpoint, which is small and comes rarely. */
  async keep(row: CheckpointRow, nodes: readonly KeptNode[]): Promise<void> {
    await this.#inTurn(() => this.#handOver({ kind: "keep", row, nodes }));
  }

  /** Removes a few rows. Whether there may be more to remove. */
  prune(keep: Retention): Promise<boolean> {
    return this.#inTurn(() => this.#handOver({ kind: "prune", keep }));
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  /** Waits for what was handed over. */
  async close(): Promise<void> {
    await this.#last;
    await this.#mover.close();
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    // Whoever closes the store waits for it, also when nothing else keeps the process.
    worker.ref();
    await new Promise<void>((resolve, reject) => {
      worker.once("error", reject);
      worker.once("exit", () => resolve());
      order(worker, { kind: "close" });
    });
  }

  async #writeNow(batch: Batch): Promise<void> {
    const packer = new Packer(this.#memory ?? new ArrayBuffer(packingSizes.usual));
    this.#memory = undefined;
    packBatch(packer, batch);
    try {
      await this.#handOver({ kind: "write", packed: packer.memory });
    } catch (error) {
      if (error instanceof Error && isDoubtful(error)) this.#renewMover();
      throw error;
    }
    this.#mover.grown(sizeInLog(batch.transitions.length, packer.length));
  }

  #handOver(what: Order): Promise<boolean> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((done, failed) => {
      this.#waiting = { done, failed };
      // Somebody waits, so the process does not end meanwhile.
      worker.ref();
      order(worker, what);
    });
  }

  #start(): Worker {
    const worker = startThread(new URL("./writer-thread.ts", import.meta.url), this.#files);
    worker.unref();
    let reason: Error | undefined;
    worker.on("message", ({ packed, error, more = false }: Answer) => {
      worker.unref();
      if (packed && packed.byteLength <= packingSizes.mostKept) this.#memory = packed;
      this.#settle(error && hearError(error), more);
    });
    worker.on("error", (error) => {
      reason = error instanceof Error ? error : new Error(String(error));
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#settle(threadEnded(this.#files.directory, reason));
    });
    return worker;
  }

  #settle(error: Error | undefined, more = false): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (error === undefined) waiting?.done(more);
    else waiting?.failed(error);
  }

  #newMover(): LogMover {
    return new LogMover(this.#files, () => {
      if (this.#worker !== undefined) order(this.#worker, { kind: "move-rest" });
    });
  }

  /** Its connection may hold on to what is no longer so, as that of the thread. */
  #renewMover(): void {
    void this.#mover.close();
    this.#mover = this.#newMover();
  }
}

function order(worker: Worker, what: Order): void {
  worker.postMessage(what, what.kind === "write" ? [what.packed] : []);
}
