/**
 * The latest of many: at most so many, two or more, and at least half of those. The older half goes at once, since a map that
 * loses its first entry again and again looks for the next one through all that are gone.
 */
export class Latest<Key, Value> {
  readonly #half: number;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2));
  }

  has(key: Key): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#newer.has(key) ? this.#newer.get(key) : this.#older.get(key);
  }

  /** It is the latest from then on. */
  set(key: Key, value: Value): void {
    if (this.#newer.size >= this.#half && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
    this.#older.delete(key);
  }

  delete(key: Key): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }
}
