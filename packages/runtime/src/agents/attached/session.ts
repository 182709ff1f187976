import type { Address } from "../../ports/agent-address.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import type { Stream } from "./stream.ts";

/** Spans consecutive streams of one instance, which share the numbers of messages. */
export class Session {
  readonly id: string;
  readonly address: Address;
  /** The hello is message 1. */
  readonly acknowledgements = new Acknowledgements(1n);
  resumed = false;
  /** The latest. */
  stream: Stream | undefined;
  #waiting: (() => void)[] = [];

  constructor(id: string, address: Address) {
    this.id = id;
    this.address = address;
  }

  /** Resolves when one more message is processed. */
  nextDone(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  resumeReading(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
