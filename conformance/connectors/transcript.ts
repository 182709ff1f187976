/** What a scripted agent sends: each caller receives all of it, from the beginning. */
export class Transcript<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #more = Promise.withResolvers<void>();
  #isEnded = false;

  push(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let next = 0;
    for (;;) {
      const more = this.#more.promise;
      for (; next < this.#items.length; next++) yield this.#items[next] as Item;
      if (this.#isEnded) return;
      await more;
    }
  }

  #wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}
