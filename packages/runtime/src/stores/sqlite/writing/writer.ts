import type { Worker } from "node:worker_threads";
import type { Batch, CheckpointRow, KeptNode, Retention } from "../../../ports/store.ts";
import { loneLimits, packingSizes } from "../../limits.ts";
import { isDoubtful, threadEnded } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { LogMover } from "../log-mover.ts";
import { sizeInLog } from "../size-in-log.ts";
import { startThread } from "../start-thread.ts";
import { LoneBatches } from "./lone-batches.ts";
import { packBatch, unpackBatch } from "./packed-batch.ts";
import { Packer, Unpacker } from "./packer.ts";
import { hearError, type ToldError, tellError } from "./told-error.ts";
import { WriteConnection } from "./write-connection.ts";

/**
 * What the thread is asked to do. The memory of a batch goes to the thread, and comes back with the answer.
 *
 * Batches of one round stand on one another: when one is not stored, the thread takes no other of its round. The next one
 * begins when that was heard of here. A batch that is refused here is told to the thread all the same, so that those behind
 * it, which may be on their way by then, are not taken either.
 */
export type Order =
  | {
      readonly kind: "write";
      readonly round: number;
      readonly packed: ArrayBuffer;
      /** Whether the hub's thread has written since. */
      readonly isAfterOther: boolean;
    }
  | { readonly kind: "refused"; readonly round: number; readonly error: ToldError }
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
 * Hands batches to the thread that writes them, so that the thread of the hub waits neither for SQLite nor for the disk. It
 * does one after another, and answers in that order. A thread that dies takes with it what it has; what comes next gets a
 * new one.
 *
 * Where batches come one by one, nothing is gained by that, and this thread writes them while the other has nothing to do.
 */
export class Writer {
  readonly #files: StoreFiles;
  #worker: Worker | undefined;
  #mover: LogMover;
  /** Writes in this thread. */
  readonly #here: WriteConnection;
  readonly #lone: LoneBatches;
  /** Which thread wrote the last batch: the other one does not know of it. */
  #wroteHere = false;
  /** Of batches that are written. There are never more than were on their way at once. */
  readonly #memories: ArrayBuffer[] = [];
  /** For answers of the thread, the next one first. */
  readonly #waiting: Waiting[] = [];
  /** Settles, and never fails, when everything that was handed over is answered. */
  #last: Promise<unknown> = Promise.resolve();
  #round = 0;

  /** The thread begins at once, so that it is there when the first batch comes. */
  constructor(files: StoreFiles, loneAfter: number) {
    this.#files = files;
    this.#here = new WriteConnection(files, loneLimits.room);
    this.#lone = new LoneBatches(loneAfter);
    this.#worker = this.#start();
    this.#mover = this.#newMover();
  }

  /** Resolves when the batch is durable. Throws `Conflict` or `StoreUnavailable`. What `check` throws refuses it. */
  async write(batch: Batch, check: () => void): Promise<void> {
    const round = this.#round;
    const packer = new Packer(this.#memories.pop() ?? new ArrayBuffer(packingSizes.usual));
    let what: Order | undefined;
    try {
      check();
      packBatch(packer, batch);
      const isFree = this.#waiting.length === 0 && !this.#mover.isDue;
      const isAlone = this.#lone.isAlone(batch, packer.length, isFree);
      what = isAlone ? this.#writeHere(packer, round) : this.#toWrite(packer, round);
    } catch (error) {
      what = { kind: "refused", round, error: tellError(error, this.#files.directory) };
    }
    if (what !== undefined) await this.#handOverInRound(what, round);
    this.#mover.grown(sizeInLog(batch.transitions.length, packer.length));
  }

  /** What is left to do of it. The thread hears of a batch that was not stored as of one that was refused. */
  #writeHere(packer: Packer, round: number): Order | undefined {
    if (!this.#wroteHere) this.#here.forget();
    try {
      this.#here.open();
    } catch {
      // The other thread has the file open already; if not, it says why.
      return this.#toWrite(packer, round);
    }
    const began = performance.now();
    const error = this.#here.tryTo((writer) => writer.write(unpackBatch(new Unpacker(packer.memory))));
    this.#lone.took(performance.now() - began);
    // The other thread has the time to wait until it can write.
    if (error?.kind === "unavailable" && error.code === "BATON-STORE-001")
      return this.#toWrite(packer, round);
    this.#keepMemory(packer.memory);
    if (error !== undefined) return { kind: "refused", round, error };
    this.#wroteHere = true;
    return undefined;
  }

  #toWrite(packer: Packer, round: number): Order {
    const isAfterOther = this.#wroteHere;
    this.#wroteHere = false;
    return { kind: "write", round, packed: packer.memory, isAfterOther };
  }

  async #handOverInRound(what: Order, round: number): Promise<void> {
    try {
      await this.#handOver(what);
    } catch (error) {
      this.#fails(round, error);
      throw error;
    }
  }

  /** Once for all that stood on one another. */
  #fails(round: number, error: unknown): void {
    if (this.#round !== round) return;
    this.#round++;
    this.#renewIfDoubtful(error);
  }

  /** Other connections may hold on to what is no longer so, as the one of the thread, which sees to that itself. */
  #renewIfDoubtful(error: unknown): void {
    if (!(error instanceof Error) || !isDoubtful(error)) return;
    this.#here.abandon();
    void this.#mover.close();
    this.#mover = this.#newMover();
  }

  /** The same for a checkpoint, which is small and comes rarely. */
  async keep(row: CheckpointRow, nodes: readonly KeptNode[]): Promise<void> {
    await this.#handOverAside({ kind: "keep", row, nodes });
  }

  /** Removes a few rows. Whether there may be more to remove. */
  prune(keep: Retention): Promise<boolean> {
    return this.#handOverAside({ kind: "prune", keep });
  }

  /** Waits for what was handed over. */
  async close(): Promise<void> {
    await this.#last;
    await this.#mover.close();
    this.#here.close();
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

  /** What no batch stands on. */
  async #handOverAside(what: Order): Promise<boolean> {
    try {
      return await this.#handOver(what);
    } catch (error) {
      this.#renewIfDoubtful(error);
      throw error;
    }
  }

  #handOver(what: Order): Promise<boolean> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const answered = new Promise<boolean>((done, failed) => {
      // What cannot be handed over gets no answer.
      order(worker, what);
      this.#waiting.push({ done, failed });
      // Somebody waits, so the process does not end meanwhile.
      worker.ref();
    });
    this.#last = answered.catch(() => {});
    return answered;
  }

  #start(): Worker {
    const worker = startThread(new URL("./writer-thread.ts", import.meta.url), this.#files);
    worker.unref();
    let reason: Error | undefined;
    worker.on("message", ({ packed, error, more = false }: Answer) => {
      if (packed) this.#keepMemory(packed);
      const next = this.#waiting.shift();
      if (this.#waiting.length === 0) worker.unref();
      if (error === undefined) next?.done(more);
      else next?.failed(hearError(error));
    });
    worker.on("error", (error) => {
      reason = error instanceof Error ? error : new Error(String(error));
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      const ended = threadEnded(this.#files.directory, reason);
      for (const { failed } of this.#waiting.splice(0)) failed(ended);
    });
    return worker;
  }

  #keepMemory(memory: ArrayBuffer): void {
    if (memory.byteLength <= packingSizes.mostKept) this.#memories.push(memory);
  }

  #newMover(): LogMover {
    return new LogMover(this.#files, () => {
      // It is waited for as for a batch: nothing is written meanwhile, or the log would not be moved to its end.
      if (this.#worker !== undefined) this.#handOver({ kind: "move-rest" }).catch(() => {});
    });
  }
}

function order(worker: Worker, what: Order): void {
  worker.postMessage(what, what.kind === "write" ? [what.packed] : []);
}
