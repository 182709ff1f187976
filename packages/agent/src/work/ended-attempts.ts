/**
 * The ids of ended attempts: at least the newest `least`, at most twice as many. They are kept in two sets, the older of
 * which is dropped as a whole, because finding the first member is slow in a set with many deletions.
 */
export class EndedAttempts {
  readonly #least: number;
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor(least: number) {
    this.#least = least;
  }

  has(dispatchId: string): boolean {
    return this.#newer.has(dispatchId) || this.#older.has(dispatchId);
  }

  add(dispatchId: string): void {
    this.#newer.add(dispatchId);
    if (this.#newer.size < this.#least) return;
    this.#older = this.#newer;
    this.#newer = new Set();
  }
}
