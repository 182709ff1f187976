/** So many may come before it is made anew, however few there are. */
const leastAdded = 64;

/**
 * A map of what comes and goes, in the order in which it came.
 *
 * A map of the language that outgrows its table takes another one, and the old table keeps hold of it. Once an old table is
 * where the small collections of memory do not look, all that was ever in the ones after it stays until the next large
 * one: everything that passes through is copied twice, and then lies about. So this one is made anew before that, from
 * what is in it, after as many were added as there are.
 */
export class PassingMap<Key, Value> {
  #map = new Map<Key, Value>();
  #added = 0;

  get size(): number {
    return this.#map.size;
  }

  has(key: Key): boolean {
    return this.#map.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  set(key: Key, value: Value): void {
    const before = this.#map.size;
    this.#map.set(key, value);
    if (this.#map.size > before && ++this.#added >= Math.max(leastAdded, before)) this.#renew();
  }

  delete(key: Key): boolean {
    return this.#map.delete(key);
  }

  /** As they are now; only those that are looked at may go meanwhile. */
  keys(): MapIterator<Key> {
    return this.#map.keys();
  }

  values(): MapIterator<Value> {
    return this.#map.values();
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.#map.entries();
  }

  #renew(): void {
    const renewed = new Map<Key, Value>();
    for (const [key, value] of this.#map) renewed.set(key, value);
    this.#map = renewed;
    this.#added = 0;
  }
}
