import pLimit, { type LimitFunction } from "p-limit";

/** Runs at most `concurrency` tasks of a key at once, in order, and those of different keys side by side. */
export class KeyedQueue {
  readonly #concurrency: number;
  readonly #limits = new Map<string, LimitFunction>();

  constructor(concurrency = 1) {
    this.#concurrency = concurrency;
  }

  async run<Value>(key: string, task: () => Promise<Value>): Promise<Value> {
    const limit = this.#limits.get(key) ?? pLimit(this.#concurrency);
    this.#limits.set(key, limit);
    try {
      return await limit(task);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(key);
    }
  }
}
