/** Hands items from several who give to one who takes. Whoever gives waits while there is no room. */
export class Channel<Item> implements AsyncIterable<Item> {
  readonly #room: number;
  readonly #items: Item[] = [];
  #givers: number;
  #wakeTaker: () => void = () => {};
  #wakeGivers: (() => void)[] = [];
  #failure: { readonly error: unknown } | undefined;
  #isClosed = false;

  constructor(givers: number, room: number) {
    this.#givers = givers;
    this.#room = room;
  }

  /** False when nobody takes any more. */
  async give(item: Item): Promise<boolean> {
    while (this.#items.length >= this.#room && !this.#isClosed)
      await new Promise<void>((resolve) => this.#wakeGivers.push(resolve));
    if (this.#isClosed) return false;
    this.#items.push(item);
    this.#wakeTaker();
    return true;
  }

  /** One giver has given everything, or cannot go on. */
  done(failure?: { readonly error: unknown }): void {
    this.#givers--;
    this.#failure ??= failure;
    this.#wakeTaker();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    try {
      for (;;) {
        while (this.#items.length > 0) {
          const item = this.#items.shift() as Item;
          this.#letGive();
          yield item;
        }
        if (this.#failure) throw this.#failure.error;
        if (this.#givers === 0) return;
        await new Promise<void>((resolve) => {
          this.#wakeTaker = resolve;
        });
      }
    } finally {
      this.#isClosed = true;
      this.#letGive();
    }
  }

  #letGive(): void {
    const waiting = this.#wakeGivers;
    this.#wakeGivers = [];
    for (const wake of waiting) wake();
  }
}
