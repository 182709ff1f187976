/**
 * Asks the command of a pack again and again whether it can work.
 *
 * P1. It is asked before the first work is sent, and one at a time.
 * P2. A command that cannot work is asked again after a while that doubles; one that can, now and then.
 * P3. An attempt that fails for such a reason counts as a failed probe: nothing more is sent until one has passed.
 */
export interface ProberParts {
  /** Why it cannot work; undefined when it can. */
  readonly probe: (signal: AbortSignal) => Promise<string | undefined>;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** The answer is another one than before. */
  readonly onChange: () => void;
}

export const probeTimes = { firstMs: 5_000, mostMs: 300_000, wellMs: 600_000 } as const;

export class Prober {
  readonly #parts: ProberParts;
  #why: string | undefined;
  #failures = 0;
  readonly #closing = new AbortController();
  #asking: Promise<void> = Promise.resolve();
  #stop: () => void = () => {};

  constructor(parts: ProberParts) {
    this.#parts = parts;
  }

  /** Why the command cannot work, as far as is known. */
  get why(): string | undefined {
    return this.#why;
  }

  /** Resolves when the command was asked once. */
  begin(): Promise<void> {
    this.#asking = this.#ask();
    return this.#asking;
  }

  /** An attempt has shown it. */
  fail(why: string): void {
    this.#failures++;
    this.#set(why);
    this.#plan();
  }

  /** Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#stop();
    await this.#asking;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #ask(): Promise<void> {
    const failures = this.#failures;
    const why = await this.#parts.probe(this.#closing.signal);
    // An attempt that failed meanwhile knows better.
    if (this.#isClosed || failures !== this.#failures) return;
    this.#failures = why === undefined ? 0 : failures + 1;
    this.#set(why);
    this.#plan();
  }

  #set(why: string | undefined): void {
    const changed = why !== this.#why;
    this.#why = why;
    if (changed && !this.#isClosed) this.#parts.onChange();
  }

  #plan(): void {
    if (this.#isClosed) return;
    this.#stop();
    const { firstMs, mostMs, wellMs } = probeTimes;
    const delayMs = this.#failures === 0 ? wellMs : Math.min(mostMs, firstMs * 2 ** (this.#failures - 1));
    this.#stop = this.#parts.after(delayMs, () => void this.begin());
  }
}
