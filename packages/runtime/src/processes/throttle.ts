import type { Readable } from "node:stream";

/** Bytes that pass before throttling begins. */
const burstBytes = 1_048_576;

/** Limits the throughput of streams: a faster writer blocks. */
export class Throttle {
  readonly #perSecond: number | undefined;
  readonly #streams: readonly Readable[];
  #owed = 0;
  #countedMs = performance.now();
  #pause: NodeJS.Timeout | undefined;
  #isOpen = false;

  constructor(bytesPerSecond: number | undefined, streams: readonly Readable[]) {
    this.#perSecond = bytesPerSecond;
    this.#streams = streams;
  }

  passed(bytes: number): void {
    if (this.#perSecond === undefined || this.#isOpen) return;
    const nowMs = performance.now();
    const paid = ((nowMs - this.#countedMs) / 1_000) * this.#perSecond;
    this.#owed = Math.max(0, this.#owed - paid) + bytes;
    this.#countedMs = nowMs;
    if (this.#owed <= burstBytes || this.#pause) return;
    for (const stream of this.#streams) stream.pause();
    const waitMs = ((this.#owed - burstBytes) / this.#perSecond) * 1_000;
    this.#pause = setTimeout(() => this.#resume(), waitMs);
  }

  /** When the writer has ended, the remaining bytes in the pipes pass at once. */
  stop(): void {
    this.#isOpen = true;
    if (this.#pause) this.#resume();
  }

  #resume(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    for (const stream of this.#streams) stream.resume();
  }
}
