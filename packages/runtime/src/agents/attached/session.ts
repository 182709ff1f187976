import type { Address } from "../address.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import type { Stream } from "./stream.ts";

/** What goes on over the streams of one instance, one after another: the count of its messages. */
export class Session {
  readonly id: string;
  readonly address: Address;
  /** Hello is the first message of a session. */
  readonly acknowledgements = new Acknowledgements(1n);
  resumed = false;
  /** The one that is open now, or was last. */
  stream: Stream | undefined;
  #waiting: (() => void)[] = [];

  constructor(id: string, address: Address) {
    this.id = id;
    this.address = address;
  }

  /** Resolves when one more of its messages is dealt with. */
  oneIsDone(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  letGoOn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
