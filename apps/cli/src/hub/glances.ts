import { limits } from "../limits.ts";
import { isPassing } from "./passing.ts";

/** Looks at the pipeline: when asked, and from time to time; never twice at once. */
export class Glances {
  readonly #look: () => Promise<void>;
  readonly #fail: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #again = false;

  /** What cannot pass by itself is told to `fail`. */
  constructor(look: () => Promise<void>, fail: (error: unknown) => void) {
    this.#look = look;
    this.#fail = fail;
  }

  start(): void {
    this.#timer = setInterval(() => this.soon(), limits.lookAgainMs);
    this.soon();
  }

  soon(): void {
    if (this.#timer === undefined) return;
    if (this.#looking) this.#again = true;
    else void this.#run();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    this.#looking = true;
    try {
      do {
        this.#again = false;
        await this.#look();
      } while (this.#again && this.#timer !== undefined);
    } catch (error) {
      // While the hub is away the stream says so; anything else would be the same the next time.
      if (!isPassing(error)) this.#fail(error);
    } finally {
      this.#looking = false;
    }
  }
}
