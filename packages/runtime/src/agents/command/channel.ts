/** A bounded queue from several senders to one receiver. Senders wait while it is full. */
export class Channel<Item> implements AsyncIterable<Item> {
  readonly #capacity: number;
  readonly #items: Item[] = [];
  #senders: number;
  #wakeReceiver: () => void = () => {};
  #wakeSenders: (() => void)[] = [];
  #failure: { readonly error: unknown } | undefined;
  #isClosed = false;

  constructor(senders: number, capacity: number) {
    this.#senders = senders;
    this.#capacity = capacity;
  }

  /** False when the receiver is gone. */
  async send(item: Item): Promise<boolean> {
    while (this.#items.length >= this.#capacity && !this.#isClosed)
      await new Promise<void>((resolve) => this.#wakeSenders.push(resolve));
    if (this.#isClosed) return false;
    this.#items.push(item);
    this.#wakeReceiver();
    return true;
  }

  /** One sender is done, or has failed. */
  finish(failure?: { readonly error: unknown }): void {
    this.#senders--;
    this.#failure ??= failure;
    this.#wakeReceiver();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    try {
      for (;;) {
        while (this.#items.length > 0) {
          const item = this.#items.shift() as Item;
          this.#resumeSenders();
          yield item;
        }
        if (this.#failure) throw this.#failure.error;
        if (this.#senders === 0) return;
        await new Promise<void>((resolve) => {
          this.#wakeReceiver = resolve;
        });
      }
    } finally {
      this.#isClosed = true;
      this.#resumeSenders();
    }
  }

  #resumeSenders(): void {
    const waiting = this.#wakeSenders;
    this.#wakeSenders = [];
    for (const wake of waiting) wake();
  }
}
