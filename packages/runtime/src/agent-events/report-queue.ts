/** A report that has its position; `stored` is when it is through. */
export interface Positioned {
  readonly rest: Promise<void>;
}

interface Queue {
  readonly positioned: Promise<unknown>;
  readonly through: Promise<unknown>;
}

/**
 * Keeps the reports of an attempt in their order, though some have to be looked up first and some become durable later. There
 * is a queue only while reports are on their way.
 */
export class ReportQueues {
  readonly #queues = new Map<string, Queue>();

  isEmpty(attempt: string): boolean {
    return !this.#queues.has(attempt);
  }

  /** `position` is called when all before it have their position; its argument resolves when they are through. */
  async join(
    attempt: string,
    position: (before: Promise<unknown> | undefined) => Promise<Positioned>,
  ): Promise<void> {
    const before = this.#queues.get(attempt);
    const positioned = before ? before.positioned.then(() => position(before.through)) : position(undefined);
    const done = positioned.then(({ rest }) => rest);
    const through = Promise.allSettled([before?.through, done]);
    const queue = { positioned: positioned.catch(() => {}), through };
    this.#queues.set(attempt, queue);
    void through.then(() => {
      if (this.#queues.get(attempt) === queue) this.#queues.delete(attempt);
    });
    await done;
  }
}
