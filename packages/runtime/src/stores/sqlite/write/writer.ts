import { WorkerCalls } from "../../../lib/worker-calls.ts";
import type { Batch, CheckpointRow, Retention, StoredNode } from "../../../ports/store.ts";
import { inlineWriteLimits, packingSizes } from "../../limits.ts";
import { fromTransferred, type TransferredError, toTransferred } from "../error-transfer.ts";
import { isDoubtful, threadEnded } from "../errors.ts";
import type { StoreFiles } from "../files.ts";
import { packBatch, unpackBatch } from "../format/packed-batch.ts";
import { Packer, Unpacker } from "../format/packer.ts";
import { InlineWritePolicy } from "./inline-writes.ts";
import { WalCheckpointer } from "./wal-checkpointer.ts";
import { WriteConnection } from "./write-connection.ts";

/**
 * The memory of a batch moves to the thread, and returns with the response.
 *
 * The batches of a round build on one another: when one is not stored, the thread refuses the rest of the round. The next round
 * begins when this thread receives the error. A batch that is refused here is sent to the thread too, so that it refuses the
 * batches behind it, which may be in flight already.
 */
export type WriterRequest =
  | {
      readonly kind: "write";
      readonly round: number;
      readonly packed: ArrayBuffer;
      /** Whether the thread of the hub has written since. */
      readonly isAfterOther: boolean;
    }
  | { readonly kind: "refused"; readonly round: number; readonly error: TransferredError }
  | { readonly kind: "keep"; readonly row: CheckpointRow; readonly nodes: readonly StoredNode[] }
  | { readonly kind: "prune"; readonly keep: Retention }
  | { readonly kind: "checkpoint-rest" }
  | { readonly kind: "close" };

export interface WriterResponse {
  /** The memory of a batch. */
  readonly packed: ArrayBuffer | undefined;
  readonly error: TransferredError | undefined;
  /** For `prune`: whether there may be more to remove. */
  readonly more?: boolean;
}

/**
 * Sends batches to a thread that writes them, so that the thread of the hub waits neither for SQLite nor for the disk. The
 * thread handles them in order. When it dies, its batches fail, and the next batch starts a new one.
 *
 * Single small batches gain nothing from that; the thread of the hub writes them while the other one is idle.
 */
export class Writer {
  readonly #files: StoreFiles;
  readonly #calls: WorkerCalls<WriterRequest, WriterResponse>;
  #checkpointer: WalCheckpointer;
  /** Writes in the thread of the hub. */
  readonly #inline: WriteConnection;
  readonly #policy: InlineWritePolicy;
  /** Whether the thread of the hub wrote the last batch; the other one has to forget its caches then. */
  #wroteInline = false;
  /** Memory of stored batches, for reuse. There are never more than were in flight at once. */
  readonly #memories: ArrayBuffer[] = [];
  /** Resolves when every request is answered; never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #round = 0;

  /** Starts the thread, so that it is ready for the first batch. */
  constructor(files: StoreFiles, inlineAfter: number) {
    this.#files = files;
    this.#inline = new WriteConnection(files, inlineWriteLimits.connection);
    this.#policy = new InlineWritePolicy(inlineAfter);
    this.#calls = new WorkerCalls(new URL("./writer-thread.ts", import.meta.url), files, (reason) =>
      threadEnded(files.directory, reason),
    );
    this.#calls.start();
    this.#checkpointer = this.#newCheckpointer();
  }

  /** Resolves when the batch is durable. Throws as `commit` does. An error of `check` refuses the batch. */
  async write(batch: Batch, check: () => void): Promise<void> {
    const round = this.#round;
    const packer = new Packer(this.#memories.pop() ?? new ArrayBuffer(packingSizes.initial));
    let request: WriterRequest | undefined;
    try {
      check();
      packBatch(packer, batch);
      const isFree = this.#calls.waiting === 0 && !this.#checkpointer.isDue;
      const isInline = this.#policy.isInline(batch, packer.length, isFree);
      request = isInline ? this.#writeInline(packer, round) : this.#toWrite(packer, round);
    } catch (error) {
      request = { kind: "refused", round, error: toTransferred(error, this.#files.directory) };
    }
    if (request !== undefined) await this.#sendInRound(request, round);
    this.#checkpointer.grown(sizeInLog(batch.transitions.length, packer.length));
  }

  /** Returns the request that the thread still has to handle: for a batch that was not stored, its refusal. */
  #writeInline(packer: Packer, round: number): WriterRequest | undefined {
    if (!this.#wroteInline) this.#inline.forget();
    try {
      this.#inline.open();
    } catch {
      // The other thread has the file open; otherwise it reports the error.
      return this.#toWrite(packer, round);
    }
    const began = performance.now();
    const error = this.#inline.tryTo((writer) => writer.write(unpackBatch(new Unpacker(packer.memory))));
    this.#policy.took(performance.now() - began);
    // The other thread can wait for the lock.
    if (error?.kind === "unavailable" && error.code === "BATON-STORE-001")
      return this.#toWrite(packer, round);
    this.#keepMemory(packer.memory);
    if (error !== undefined) return { kind: "refused", round, error };
    this.#wroteInline = true;
    return undefined;
  }

  #toWrite(packer: Packer, round: number): WriterRequest {
    const isAfterOther = this.#wroteInline;
    this.#wroteInline = false;
    return { kind: "write", round, packed: packer.memory, isAfterOther };
  }

  async #sendInRound(request: WriterRequest, round: number): Promise<void> {
    try {
      await this.#send(request);
    } catch (error) {
      this.#fails(round, error);
      throw error;
    }
  }

  /** Once for all batches of the round. */
  #fails(round: number, error: unknown): void {
    if (this.#round !== round) return;
    this.#round++;
    this.#renewIfDoubtful(error);
  }

  /** Connections may have stale state. The thread renews its own. */
  #renewIfDoubtful(error: unknown): void {
    if (!(error instanceof Error) || !isDoubtful(error)) return;
    this.#inline.abandon();
    void this.#checkpointer.close();
    this.#checkpointer = this.#newCheckpointer();
  }

  /** Stores a checkpoint of the audit record. */
  async keep(row: CheckpointRow, nodes: readonly StoredNode[]): Promise<void> {
    await this.#sendAlone({ kind: "keep", row, nodes });
  }

  /** Removes some rows. Resolves to whether there may be more. */
  prune(keep: Retention): Promise<boolean> {
    return this.#sendAlone({ kind: "prune", keep });
  }

  /** Waits for all requests. */
  async close(): Promise<void> {
    await this.#last;
    await this.#checkpointer.close();
    this.#inline.close();
    await this.#calls.end({ kind: "close" });
  }

  /** For requests that are no part of a round. */
  async #sendAlone(request: WriterRequest): Promise<boolean> {
    try {
      return await this.#send(request);
    } catch (error) {
      this.#renewIfDoubtful(error);
      throw error;
    }
  }

  #send(request: WriterRequest): Promise<boolean> {
    const transfer = request.kind === "write" ? [request.packed] : [];
    const answered = this.#calls.call(request, transfer).then(({ packed, error, more = false }) => {
      if (packed) this.#keepMemory(packed);
      if (error !== undefined) throw fromTransferred(error);
      return more;
    });
    this.#last = answered.catch(() => {});
    return answered;
  }

  #keepMemory(memory: ArrayBuffer): void {
    if (memory.byteLength <= packingSizes.maxKept) this.#memories.push(memory);
  }

  #newCheckpointer(): WalCheckpointer {
    return new WalCheckpointer(this.#files, () => {
      // In the order of batches: nothing may be written meanwhile, or the log is not checkpointed to its end.
      if (this.#calls.isRunning) this.#send({ kind: "checkpoint-rest" }).catch(() => {});
    });
  }
}

/** Pages of indexes and small tables that every commit changes. */
const bytesPerCommit = 14 * 4096;
/** Index entries and row overhead of a pipeline, its commands and timers. */
const bytesPerTransition = 1024;

/** Estimates the bytes that a commit writes to the log. */
function sizeInLog(transitions: number, packedBytes: number): number {
  return bytesPerCommit + transitions * bytesPerTransition + packedBytes;
}
