/** What comes in waits here until it is taken. One reader. */
export class Mailbox<Item> {
  #items: readonly Item[] = [];
  #isClosed = false;
  #wake = () => {};

  put(item: Item): void {
    this.#items = [...this.#items, item];
    this.#wake();
  }

  /** What is in it can still be taken. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Takes all that is there, waiting for something to be there; undefined when nothing will come any more. */
  async takeAll(): Promise<readonly Item[] | undefined> {
    while (this.#items.length === 0 && !this.#isClosed) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    return this.#items.length === 0 ? undefined : this.takeWhere(() => true);
  }

  /** Takes those that fit, out of turn. */
  takeWhere(fits: (item: Item) => boolean): readonly Item[] {
    const taken = this.#items.filter(fits);
    this.#items = this.#items.filter((item) => !fits(item));
    return taken;
  }
}
