interface Entry {
  readonly id: string;
  /** The lowest is served first. */
  readonly servedBy: number;
  /** Orders entries with the same `servedBy`. */
  readonly arrival: number;
}

/** Ids in serving order. */
export class ServingOrder {
  readonly #entries: Entry[] = [];
  readonly #byId = new Map<string, Entry>();
  #arrivals = 0;

  get size(): number {
    return this.#entries.length;
  }

  get first(): Entry | undefined {
    return this.#entries[0];
  }

  /** An id that is present keeps its position unless its `servedBy` has changed. */
  join(id: string, servedBy: number): void {
    const before = this.#byId.get(id);
    if (before?.servedBy === servedBy) return;
    this.leave(id);
    const entry = { id, servedBy, arrival: before?.arrival ?? this.#arrivals++ };
    this.#byId.set(id, entry);
    this.#entries.splice(this.#find(entry), 0, entry);
  }

  leave(id: string): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    this.#byId.delete(id);
    this.#entries.splice(this.#find(entry), 1);
  }

  /** The index of the entry, or where it belongs. */
  #find(entry: Entry): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#entries[middle] as Entry, entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.servedBy < b.servedBy || (a.servedBy === b.servedBy && a.arrival < b.arrival);
}
