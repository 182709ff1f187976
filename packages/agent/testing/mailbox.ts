/** An unbounded queue with asynchronous `take`. */
export class Mailbox<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  readonly #waiting: ((item: IteratorResult<Item, undefined>) => void)[] = [];
  #ended = false;

  put(item: Item): void {
    if (this.#ended) return;
    const next = this.#waiting.shift();
    if (next) next({ done: false, value: item });
    else this.#items.push(item);
  }

  /** Completes the queue. */
  end(): void {
    this.#ended = true;
    for (const next of this.#waiting.splice(0)) next({ done: true, value: undefined });
  }

  async take(): Promise<Item> {
    const next = await this.#next();
    if (next.done) throw new Error("the mailbox has ended");
    return next.value;
  }

  /** Items that were not taken. */
  get waiting(): readonly Item[] {
    return [...this.#items];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (let next = await this.#next(); !next.done; next = await this.#next()) yield next.value;
  }

  #next(): Promise<IteratorResult<Item, undefined>> {
    const [item] = this.#items.splice(0, 1);
    if (item !== undefined) return Promise.resolve({ done: false, value: item });
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
