import type { Batch, BatchId, JournalStore } from "../ports/store.ts";
import { Conflict, OutOfSequence } from "../ports/store-error.ts";
import { isEmpty } from "./batch-builder.ts";
import type { EngineInput } from "./input.ts";
import type { Transaction } from "./transaction.ts";

/** The inputs of one transaction. */
export interface Decided {
  readonly inputs: readonly EngineInput[];
  /** What the store was given of them. The store may have it although the commit failed. */
  readonly batch?: Batch;
}

export interface Failure extends Decided {
  readonly error: Error;
  /** Whether the batch is durable: the failure came after the commit, before every input was answered. */
  readonly stored: boolean;
}

/** One process writes to the store, under this name. */
const writer = "hub";

/** Commits transactions, and settles them in the order in which they were committed. */
export class Committer {
  readonly #store: Pick<JournalStore, "commit">;
  /** Answers the inputs of a durable transaction (D3). */
  readonly #onDurable: (transaction: Transaction, batch: Batch) => void;
  readonly #onSettled: () => void;
  #inFlight = 0;
  #settling: Promise<void> | undefined;
  #lastCommit: Promise<void> = Promise.resolve();
  /** Number of the last batch given to the store, and of the last one known to be stored. */
  #lastGiven = 0;
  #lastStored = 0;
  #failures: Failure[] = [];

  constructor(
    store: Pick<JournalStore, "commit">,
    onDurable: (transaction: Transaction, batch: Batch) => void,
    onSettled: () => void,
  ) {
    this.#store = store;
    this.#onDurable = onDurable;
    this.#onSettled = onSettled;
  }

  static lastStored(store: Pick<JournalStore, "lastBatch">): Promise<number> {
    return store.lastBatch(writer);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Resolves when every transaction in flight is settled. */
  get settled(): Promise<void> | undefined {
    return this.#settling;
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  get nextId(): BatchId {
    return { writer, sequence: this.#lastGiven + 1 };
  }

  /** Continues the numbers after the last batch that is stored. */
  restart(lastStored: number): void {
    this.#lastGiven = this.#lastStored = lastStored;
  }

  isStored({ id }: Batch): boolean {
    return id.sequence <= this.#lastStored;
  }

  commit(transaction: Transaction, batch: Batch): void {
    // An empty batch is not stored, but the ones before it have to be: its decisions build on them.
    const committed = isEmpty(batch) ? this.#lastCommit : this.#store.commit(batch);
    committed.catch(() => {}); // #settle reports it, in order.
    if (!isEmpty(batch)) this.#lastGiven = batch.id.sequence;
    this.#lastCommit = committed;
    this.#inFlight++;
    const before = this.#settling ?? Promise.resolve();
    this.#settling = before.then(() => this.#settle(transaction, batch, committed));
  }

  /** Commits one transaction and waits for it. Throws as the store does. */
  async commitNow(transaction: Transaction): Promise<void> {
    const batch = transaction.build(this.nextId, []);
    if (!isEmpty(batch)) {
      await this.#store.commit(batch);
      this.restart(batch.id.sequence);
    }
    transaction.settle(batch);
  }

  /** Reports a failure outside a commit. */
  fail(failure: Failure): void {
    this.#failures.push(failure);
  }

  /** The failure, then what was decided on top of it. */
  async takeFailures(): Promise<Failure[]> {
    await this.#settling;
    this.#lastGiven = this.#lastStored;
    return this.#failures.splice(0);
  }

  async #settle(transaction: Transaction, batch: Batch, committed: Promise<void>): Promise<void> {
    let stored = false;
    try {
      await committed;
      stored = true;
      if (!isEmpty(batch)) this.#lastStored = batch.id.sequence;
      this.#onDurable(transaction, batch);
    } catch (error) {
      const isRefused = error instanceof Conflict || error instanceof OutOfSequence;
      const decided = { inputs: transaction.inputs, ...(!isRefused && { batch }) };
      this.#failures.push({ ...decided, error: asError(error), stored });
    }
    this.#inFlight--;
    if (this.#inFlight === 0) {
      this.#settling = undefined;
      this.#lastCommit = Promise.resolve();
    }
    this.#onSettled();
  }
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
