/** Virtual time: it stands still while an event is processed, and jumps to the next event. */
export class Clock {
  nowMs: number;
  private readonly heap: Event[] = [];
  private scheduled = 0;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** Returns a function that cancels it. */
  after(delayMs: number, action: () => void): () => void {
    return this.at(this.nowMs + Math.max(0, Math.round(delayMs)), action);
  }

  at(atMs: number, action: () => void): () => void {
    const event: Event = { atMs: Math.max(atMs, this.nowMs), order: this.scheduled++, action };
    this.push(event);
    return () => {
      event.action = undefined;
    };
  }

  /** Processes the next event. False when there is none. */
  step(): boolean {
    for (let event = this.pop(); event; event = this.pop()) {
      if (!event.action) continue;
      this.nowMs = event.atMs;
      event.action();
      return true;
    }
    return false;
  }

  private push(event: Event): void {
    const { heap } = this;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent] as Event;
      if (!isBefore(event, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = event;
  }

  private pop(): Event | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child] as Event)) child++;
      const below = heap[child];
      if (!below || !isBefore(below, last)) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = last;
    return first;
  }
}

interface Event {
  readonly atMs: number;
  /** Events of the same moment happen in the order of scheduling. */
  readonly order: number;
  /** Undefined when cancelled. */
  action: (() => void) | undefined;
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
