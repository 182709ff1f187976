/** What comes in waits here until it is taken, and whoever brings too much waits as well. One reader, one writer. */
export class Mailbox<Item> {
  readonly #most: number;
  #items: Item[] = [];
  #isClosed = false;
  #isRung = false;
  #wakeReader = () => {};
  #wakeWriter = () => {};

  constructor(most: number) {
    this.#most = most;
  }

  async put(item: Item): Promise<void> {
    this.#items.push(item);
    this.#wakeReader();
    while (this.#items.length > this.#most) {
      await new Promise<void>((wake) => {
        this.#wakeWriter = wake;
      });
    }
  }

  /** Wakes the reader although nothing came in. */
  ring(): void {
    this.#isRung = true;
    this.#wakeReader();
  }

  /** What is in it can still be taken. */
  close(): void {
    this.#isClosed = true;
    this.#wakeReader();
  }

  /**
   * Takes all that is there, waiting for something to be there or for the bell; "late" when that takes longer than it
   * may, and "closed" when nothing will come any more.
   */
  async takeAll(longestMs?: number): Promise<readonly Item[] | "late" | "closed"> {
    const hasNews = () => this.#items.length > 0 || this.#isRung;
    if (!hasNews() && !this.#isClosed) await this.#somethingNew(longestMs);
    if (!hasNews()) return this.#isClosed ? "closed" : "late";
    this.#isRung = false;
    return this.takeWhere(() => true);
  }

  #somethingNew(longestMs: number | undefined): Promise<void> {
    return new Promise<void>((wake) => {
      const late = longestMs === undefined ? undefined : setTimeout(wake, longestMs);
      this.#wakeReader = () => {
        clearTimeout(late);
        wake();
      };
    });
  }

  /** Takes those that fit, out of turn. */
  takeWhere(fits: (item: Item) => boolean): readonly Item[] {
    const taken = this.#items.filter(fits);
    this.#items = this.#items.filter((item) => !fits(item));
    this.#wakeWriter();
    return taken;
  }
}
