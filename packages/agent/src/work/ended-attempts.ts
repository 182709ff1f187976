/**
 * The ids of attempts that ended: the newest so many are known, and never more than twice as many. They are kept in two
 * parts, of which the older one goes as a whole: a set that has lost many members is slow to say which is its first.
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
