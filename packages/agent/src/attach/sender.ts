import type { ClientHttp2Stream } from "node:http2";
import { limits } from "../limits.ts";
import { joinFrames } from "./frames.ts";

/** Sends messages on one stream: those of one event loop turn in one write, as fast as the hub reads. */
export class Sender {
  readonly #stream: ClientHttp2Stream;
  #waiting: Uint8Array[] = [];
  #isScheduled = false;
  #isEnded = false;

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
    stream.on("drain", () => this.#flush());
  }

  /** Sends an encoded message. Does nothing after `end`. */
  send(message: Uint8Array): void {
    if (this.#isEnded) return;
    this.#waiting.push(message);
    this.#schedule();
  }

  /** Messages sent before are still delivered. */
  end(): void {
    this.#isEnded = true;
    this.#schedule();
  }

  /** Flushes after the callbacks of all settled promises, and before new input is read. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isScheduled = false;
        this.#flush();
      }),
    );
  }

  #flush(): void {
    const stream = this.#stream;
    while (this.#waiting.length > 0 && stream.writable && !stream.writableNeedDrain)
      stream.write(joinFrames(this.#takeBurst()));
    if (this.#isEnded && this.#waiting.length === 0 && stream.writable) stream.end();
  }

  #takeBurst(): readonly Uint8Array[] {
    let bytes = 0;
    const firstBeyond = this.#waiting.findIndex(({ length }) => {
      bytes += length;
      return bytes > limits.burstBytes;
    });
    // A message larger than a burst is written alone.
    return this.#waiting.splice(0, firstBeyond < 0 ? this.#waiting.length : Math.max(firstBeyond, 1));
  }
}
