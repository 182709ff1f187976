import { popFrontier, pushFrontier } from "./frontier.ts";
import type { Seat } from "./seat.ts";

/** Children of a seat lie side by side in memory, so that looking at four costs little more than at one. */
const arity = 4;

/**
 * Seats of one health, in the order of A §3.2 step 3: lowest active/max, lowest average latency, and the id, so that
 * the order is total and never a matter of chance. A heap of four: adding, removing and moving are O(log n) whatever
 * loads the agents report, and a move mostly ends where it began (docs/decisions/0012).
 *
 * I1. No seat comes before its parent.
 * I2. `ratios` and `latencies` hold what was known of a seat when it was last put in order: most comparisons need
 *     nothing else, and what they need lies together.
 */
export class SeatHeap {
  readonly #seats: Seat[] = [];
  readonly #ratios: number[] = [];
  readonly #latencies: number[] = [];

  get size(): number {
    return this.#seats.length;
  }

  add(seat: Seat): void {
    this.#put(seat, this.#seats.length);
    this.#siftUp(seat.position);
  }

  remove(seat: Seat): void {
    const at = seat.position;
    if (this.#seats[at] !== seat) return;
    const last = this.#seats.length - 1;
    this.#swap(at, last);
    this.#seats.pop();
    this.#ratios.pop();
    this.#latencies.pop();
    seat.position = -1;
    if (at < last) this.#settle(at);
  }

  /** Puts a seat that has changed where it now belongs. */
  move(seat: Seat): void {
    this.#put(seat, seat.position);
    this.#settle(seat.position);
  }

  /**
   * The first seats whose lease lasts beyond `nowMs`, in order, `most` at the most. Looks at those, at what has run
   * out before them, and at their children.
   */
  first(most: number, nowMs: number): Seat[] {
    const found: Seat[] = [];
    const before = (a: number, b: number) => this.#isBefore(a, b);
    const frontier = this.#seats.length > 0 ? [0] : [];
    while (found.length < most && frontier.length > 0) {
      const at = popFrontier(frontier, before);
      const seat = this.#seats[at] as Seat;
      if (seat.leaseUntilMs > nowMs) found.push(seat);
      const end = Math.min(arity * at + arity, this.#seats.length - 1);
      for (let child = arity * at + 1; child <= end; child++) pushFrontier(frontier, child, before);
    }
    return found;
  }

  #settle(at: number): void {
    if (this.#siftUp(at) === at) this.#siftDown(at);
  }

  #siftUp(from: number): number {
    let at = from;
    while (at > 0) {
      const parent = Math.floor((at - 1) / arity);
      if (!this.#isBefore(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
    return at;
  }

  #siftDown(from: number): void {
    for (let at = from; ; ) {
      let first = at;
      const end = Math.min(arity * at + arity, this.#seats.length - 1);
      for (let child = arity * at + 1; child <= end; child++) if (this.#isBefore(child, first)) first = child;
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const ratio = (this.#ratios[a] as number) - (this.#ratios[b] as number);
    if (ratio !== 0) return ratio < 0;
    const latency = (this.#latencies[a] as number) - (this.#latencies[b] as number);
    if (latency !== 0) return latency < 0;
    return (this.#seats[a] as Seat).instanceId < (this.#seats[b] as Seat).instanceId;
  }

  /**
   * A quotient is as exact here as a product: two different fractions of whole numbers up to a million (vitals.ts)
   * differ by more than one part in 10^12, a rounded quotient from the true one by one in 10^15, and equal fractions
   * are rounded to the same number.
   */
  #put(seat: Seat, at: number): void {
    this.#seats[at] = seat;
    this.#ratios[at] = seat.activeTasks / seat.maxTasks;
    this.#latencies[at] = seat.avgLatencyMs;
    seat.position = at;
  }

  #swap(a: number, b: number): void {
    if (a === b) return;
    const [seatA, seatB] = [this.#seats[a] as Seat, this.#seats[b] as Seat];
    const [ratio, latency] = [this.#ratios[a] as number, this.#latencies[a] as number];
    this.#seats[a] = seatB;
    this.#ratios[a] = this.#ratios[b] as number;
    this.#latencies[a] = this.#latencies[b] as number;
    seatB.position = a;
    this.#seats[b] = seatA;
    this.#ratios[b] = ratio;
    this.#latencies[b] = latency;
    seatA.position = b;
  }
}
