import { Failed } from "./failed.ts";

/** Rings whenever something has happened, for those who wait for it to be what they expect. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** What `look` finds, now or after a ring. Undefined when it has found nothing in this time. */
  async within<Found>(ms: number, look: () => Found | undefined): Promise<Found | undefined> {
    const found = look();
    if (found !== undefined) return found;
    const { promise, resolve } = Promise.withResolvers<Found | undefined>();
    const timer = setTimeout(() => resolve(undefined), ms);
    const lookAgain = () => {
      const now = look();
      if (now !== undefined) resolve(now);
    };
    this.#waiting.add(lookAgain);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(lookAgain);
    }
  }

  /** What `look` finds. Throws `Failed` with what was expected when it has found nothing in this time. */
  async until<Found>(ms: number, expected: string, look: () => Found | undefined): Promise<Found> {
    const found = await this.within(ms, look);
    if (found === undefined) throw new Failed(expected, `nothing of it within ${ms} ms`);
    return found;
  }
}
