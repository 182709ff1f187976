import type { ClientHttp2Stream } from "node:http2";
import { limits } from "../limits.ts";
import { joinFrames } from "./frames.ts";

/** Sends messages on one stream: all that are said in the same breath leave in one piece, as fast as the hub reads. */
export class Sender {
  readonly #stream: ClientHttp2Stream;
  #waiting: Uint8Array[] = [];
  #isPlanned = false;
  #isEnded = false;

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
    stream.on("drain", () => this.#flush());
  }

  /** An encoded message. After the end it is not sent any more. */
  send(message: Uint8Array): void {
    if (this.#isEnded) return;
    this.#waiting.push(message);
    this.#plan();
  }

  /** What was sent before still leaves. */
  end(): void {
    this.#isEnded = true;
    this.#plan();
  }

  /** When all promises that are settled by now have been heard, and before anything new comes in. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isPlanned = false;
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
    const tooFar = this.#waiting.findIndex(({ length }) => {
      bytes += length;
      return bytes > limits.burstBytes;
    });
    // One that is larger than a burst goes alone.
    return this.#waiting.splice(0, tooFar < 0 ? this.#waiting.length : Math.max(tooFar, 1));
  }
}
