import { isTransient } from "../hub/transient-errors.ts";
import { limits } from "../limits.ts";

/** Polls on request and at an interval, one poll at a time. */
export class Poller {
  readonly #poll: () => Promise<void>;
  readonly #fail: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isRequested = false;

  /** @param fail called with an error that is not transient */
  constructor(poll: () => Promise<void>, fail: (error: unknown) => void) {
    this.#poll = poll;
    this.#fail = fail;
  }

  start(): void {
    this.#timer = setInterval(() => this.request(), limits.pollMs);
    this.request();
  }

  request(): void {
    if (this.#timer === undefined) return;
    if (this.#isPolling) this.#isRequested = true;
    else void this.#run();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#isPolling = true;
    try {
      do {
        this.#isRequested = false;
        await this.#poll();
      } while (this.#isRequested && this.#timer !== undefined);
    } catch (error) {
      // The stream reports an outage; any other error would repeat.
      if (!isTransient(error)) this.#fail(error);
    } finally {
      this.#isPolling = false;
    }
  }
}
