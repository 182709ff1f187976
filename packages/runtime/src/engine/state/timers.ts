import type { Clock } from "../../ports/clock.ts";
import type { StoredTimer } from "../../ports/store.ts";

/** Fires stored timers. Setting a timer again replaces its time. */
export class Timers {
  /** A heap by time; replaced and cleared timers are skipped. */
  readonly #heap: StoredTimer[] = [];
  readonly #rows = new Map<string, StoredTimer>();
  readonly #clock: Clock;
  readonly #fire: (timer: StoredTimer) => void;
  #stop: (() => void) | undefined;
  #nextMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, fire: (timer: StoredTimer) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  set(timer: StoredTimer): void {
    this.#rows.set(keyOf(timer), timer);
    this.#push(timer);
    if (timer.atMs < this.#nextMs) this.#schedule();
  }

  clear(pipelineId: string, timerId: string): void {
    this.#rows.delete(keyOf({ pipelineId, timerId }));
    if (this.#heap.length > 64 && this.#heap.length > 4 * this.#rows.size) this.#rebuild();
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#nextMs = Number.NEGATIVE_INFINITY;
  }

  #schedule(): void {
    if (this.#nextMs === Number.NEGATIVE_INFINITY) return;
    this.#stop?.();
    this.#stop = undefined;
    const next = this.#peek();
    this.#nextMs = next?.atMs ?? Number.POSITIVE_INFINITY;
    if (next) this.#stop = this.#clock.after(Math.max(0, next.atMs - this.#clock.nowMs()), () => this.#due());
  }

  #due(): void {
    const nowMs = this.#clock.nowMs();
    for (let next = this.#peek(); next && next.atMs <= nowMs; next = this.#peek()) {
      this.#pop();
      this.#rows.delete(keyOf(next));
      this.#fire(next);
    }
    this.#schedule();
  }

  /** The earliest timer that is neither replaced nor cleared. */
  #peek(): StoredTimer | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (!top || this.#rows.get(keyOf(top)) === top) return top;
      this.#pop();
    }
  }

  #push(timer: StoredTimer): void {
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as StoredTimer;
      if (above.atMs <= timer.atMs) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && at(heap, right) < at(heap, left) ? right : left;
      if (at(heap, child) >= last.atMs) break;
      heap[index] = heap[child] as StoredTimer;
      index = child;
    }
    heap[index] = last;
  }

  #rebuild(): void {
    const rows = [...this.#rows.values()];
    this.#heap.length = 0;
    for (const row of rows) this.#push(row);
  }
}

function at(heap: readonly StoredTimer[], index: number): number {
  return heap[index]?.atMs ?? Number.POSITIVE_INFINITY;
}

function keyOf({ pipelineId, timerId }: Pick<StoredTimer, "pipelineId" | "timerId">): string {
  return `${pipelineId} ${timerId}`;
}
