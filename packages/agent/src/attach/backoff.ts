import { limits } from "../limits.ts";

/** How long to wait before the hub is tried again: full jitter below a bound that doubles with each failure. */
export class Backoff {
  readonly #random: () => number;
  #failures = 0;
  #shortStreams = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** A stream that was welcomed clears the failures, but not when such streams keep ending at once. */
  streamEnded(livedMs: number | undefined): void {
    if (livedMs === undefined) {
      this.#failures++;
      return;
    }
    this.#failures = 0;
    this.#shortStreams = livedMs < limits.shortStreamMs ? this.#shortStreams + 1 : 0;
  }

  nextMs(): number {
    const doublings = Math.min(Math.max(0, this.#failures + this.#shortStreams - 1), 16);
    const bound = Math.min(limits.reconnectMostMs, limits.reconnectFirstMs * 2 ** doublings);
    return this.#random() * bound;
  }
}
