interface Place {
  readonly id: string;
  /** Whose is lower is served first. */
  readonly servedBy: number;
  /** Of two with the same moment, the one that came first. */
  readonly arrival: number;
}

/** Ids in the order in which they are served. */
export class ServingOrder {
  readonly #places: Place[] = [];
  readonly #byId = new Map<string, Place>();
  #arrivals = 0;

  get size(): number {
    return this.#places.length;
  }

  get first(): Place | undefined {
    return this.#places[0];
  }

  /** An id that is there already keeps its place unless its moment has changed. */
  join(id: string, servedBy: number): void {
    const before = this.#byId.get(id);
    if (before?.servedBy === servedBy) return;
    this.leave(id);
    const place = { id, servedBy, arrival: before?.arrival ?? this.#arrivals++ };
    this.#byId.set(id, place);
    this.#places.splice(this.#find(place), 0, place);
  }

  leave(id: string): void {
    const place = this.#byId.get(id);
    if (!place) return;
    this.#byId.delete(id);
    this.#places.splice(this.#find(place), 1);
  }

  /** Where it is, or belongs. */
  #find(place: Place): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.#places[middle] as Place, place)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(a: Place, b: Place): boolean {
  return a.servedBy < b.servedBy || (a.servedBy === b.servedBy && a.arrival < b.arrival);
}
