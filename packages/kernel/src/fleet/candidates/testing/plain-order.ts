import { type CandidateOrder, compareRanked, type Ranked } from "../candidate-heap.ts";

/** The plain twin of `CandidateHeap`: a set that is sorted for every question. */
export class PlainOrder implements CandidateOrder {
  readonly #instances = new Set<Ranked>();

  get size(): number {
    return this.#instances.size;
  }

  add(instance: Ranked): void {
    this.#instances.add(instance);
  }

  remove(instance: Ranked): void {
    this.#instances.delete(instance);
  }

  move(): void {}

  first(max: number, nowMs: number): Ranked[] {
    const live = [...this.#instances].filter(({ leaseUntilMs }) => leaseUntilMs > nowMs);
    return live.sort(compareRanked).slice(0, max);
  }
}
