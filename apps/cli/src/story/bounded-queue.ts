/** A bounded queue with one writer and one reader. `put` waits while it is full. */
export class BoundedQueue<Item> {
  readonly #maxItems: number;
  #items: Item[] = [];
  #isClosed = false;
  #isWokenUp = false;
  #wakeReader = () => {};
  #wakeWriter = () => {};

  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  async put(item: Item): Promise<void> {
    this.#items.push(item);
    this.#wakeReader();
    while (this.#items.length > this.#maxItems) {
      await new Promise<void>((wake) => {
        this.#wakeWriter = wake;
      });
    }
  }

  /** Wakes the reader without an item. */
  wakeUp(): void {
    this.#isWokenUp = true;
    this.#wakeReader();
  }

  /** Items that are queued can still be taken. */
  close(): void {
    this.#isClosed = true;
    this.#wakeReader();
  }

  /**
   * Takes all items, after waiting for one or for a wake-up; "late" after the longest wait, "closed" when no more items will
   * come.
   */
  async takeAll(longestMs?: number): Promise<readonly Item[] | "late" | "closed"> {
    const hasNews = () => this.#items.length > 0 || this.#isWokenUp;
    if (!hasNews() && !this.#isClosed) await this.#nextChange(longestMs);
    if (!hasNews()) return this.#isClosed ? "closed" : "late";
    this.#isWokenUp = false;
    return this.takeWhere(() => true);
  }

  #nextChange(longestMs: number | undefined): Promise<void> {
    return new Promise<void>((wake) => {
      const late = longestMs === undefined ? undefined : setTimeout(wake, longestMs);
      this.#wakeReader = () => {
        clearTimeout(late);
        wake();
      };
    });
  }

  /** Takes the matching items, out of order. */
  takeWhere(fits: (item: Item) => boolean): readonly Item[] {
    const taken = this.#items.filter(fits);
    this.#items = this.#items.filter((item) => !fits(item));
    this.#wakeWriter();
    return taken;
  }
}
