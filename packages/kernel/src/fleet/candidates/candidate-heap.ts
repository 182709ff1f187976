/** What ranks a live instance within its profile. Changed in place: a heartbeat of a large fleet allocates nothing here. */
export interface Ranked {
  readonly instanceId: string;
  activeTasks: number;
  maxTasks: number;
  avgLatencyMs: number;
  leaseUntilMs: number;
  /** Its index in the heap; -1 in none. */
  position: number;
}

/** Instances of one profile and health, best first (A §3.2 step 3). */
export interface CandidateOrder {
  readonly size: number;
  add(instance: Ranked): void;
  remove(instance: Ranked): void;
  /** Restores the order after the values of an instance have changed. */
  move(instance: Ranked): void;
  /** The best `max` instances whose lease lasts beyond `nowMs`. */
  first(max: number, nowMs: number): Ranked[];
}

/**
 * Lowest active/max, then lowest average latency, then the id: the order is total. A quotient compares as exactly as a
 * product: two different fractions of whole numbers up to a million (vitals.ts) differ by more than one part in 10^12,
 * and equal fractions round to the same number.
 */
export function compareRanked(a: Ranked, b: Ranked): number {
  const byLoad = a.activeTasks / a.maxTasks - b.activeTasks / b.maxTasks;
  if (byLoad !== 0) return byLoad;
  if (a.avgLatencyMs !== b.avgLatencyMs) return a.avgLatencyMs - b.avgLatencyMs;
  return a.instanceId < b.instanceId ? -1 : a.instanceId > b.instanceId ? 1 : 0;
}

/** A binary heap: a heartbeat costs O(log n) and mostly moves nothing (docs/decisions/0012). */
export class CandidateHeap implements CandidateOrder {
  /** No instance comes before its parent. */
  readonly #instances: Ranked[] = [];

  get size(): number {
    return this.#instances.length;
  }

  add(instance: Ranked): void {
    instance.position = this.#instances.push(instance) - 1;
    this.#siftUp(instance.position);
  }

  remove(instance: Ranked): void {
    const at = instance.position;
    if (this.#instances[at] !== instance) return;
    this.#swap(at, this.#instances.length - 1);
    this.#instances.pop();
    instance.position = -1;
    if (at < this.#instances.length) this.#restore(at);
  }

  move({ position }: Ranked): void {
    this.#restore(position);
  }

  /** Visits the instances it returns, those before them whose lease has run out, and the children of both. */
  first(max: number, nowMs: number): Ranked[] {
    const found: Ranked[] = [];
    const frontier = this.size > 0 ? [0] : [];
    while (found.length < max && frontier.length > 0) {
      // A linear search: the frontier holds one position more than were taken from it.
      let best = 0;
      for (let at = 1; at < frontier.length; at++)
        if (this.#isBefore(frontier[at] as number, frontier[best] as number)) best = at;
      const position = frontier[best] as number;
      const left = 2 * position + 1;
      if (left < this.size) frontier[best] = left;
      else frontier.splice(best, 1);
      if (left + 1 < this.size) frontier.push(left + 1);
      const instance = this.#instances[position] as Ranked;
      if (instance.leaseUntilMs > nowMs) found.push(instance);
    }
    return found;
  }

  #restore(at: number): void {
    if (this.#siftUp(at) === at) this.#siftDown(at);
  }

  #siftUp(from: number): number {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#isBefore(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
    return at;
  }

  #siftDown(from: number): void {
    for (let at = from; ; ) {
      const left = 2 * at + 1;
      let first = at;
      if (left < this.size && this.#isBefore(left, first)) first = left;
      if (left + 1 < this.size && this.#isBefore(left + 1, first)) first = left + 1;
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(a: number, b: number): boolean {
    return compareRanked(this.#instances[a] as Ranked, this.#instances[b] as Ranked) < 0;
  }

  #swap(a: number, b: number): void {
    const [atA, atB] = [this.#instances[a] as Ranked, this.#instances[b] as Ranked];
    this.#instances[a] = atB;
    atB.position = a;
    this.#instances[b] = atA;
    atA.position = b;
  }
}
