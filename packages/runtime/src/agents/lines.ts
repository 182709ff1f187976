/** What was said is on its way to the store, in its place; what is left of it goes at its own pace. */
export interface Placed {
  readonly rest: Promise<void>;
}

interface Line {
  /** Resolves when the last one has its place. */
  placed: Promise<unknown>;
  /** Resolves when all are through, however that went. */
  through: Promise<unknown>;
}

/**
 * What is told of an attempt takes its place in the order in which it was said, though some of it has to be looked up first
 * and some of it becomes durable later. There is a line only while something is on its way.
 */
export class Lines {
  readonly #of = new Map<string, Line>();

  /** Whether something told of it is on its way. Most attempts tell nothing, so it costs nothing then. */
  has(tenantId: string, dispatchId: string): boolean {
    return this.#of.size > 0 && this.#of.has(`${tenantId}\n${dispatchId}`);
  }

  /** `place` is called when all before it have their place; what it is given resolves when they are through. */
  async join(
    tenantId: string,
    dispatchId: string,
    place: (before: Promise<unknown> | undefined) => Promise<Placed>,
  ): Promise<void> {
    const attempt = `${tenantId}\n${dispatchId}`;
    const before = this.#of.get(attempt);
    const placing = before ? before.placed.then(() => place(before.through)) : place(undefined);
    const done = placing.then(({ rest }) => rest);
    const line: Line = {
      placed: placing.catch(() => {}),
      through: Promise.allSettled([before?.through, done]),
    };
    this.#of.set(attempt, line);
    try {
      await done;
    } finally {
      void line.through.then(() => {
        if (this.#of.get(attempt) === line) this.#of.delete(attempt);
      });
    }
  }
}
