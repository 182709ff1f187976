import type { ClientHttp2Stream } from "node:http2";
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
    if (!stream.writable || stream.writableNeedDrain) return;
    const messages = this.#waiting;
    this.#waiting = [];
    if (messages.length > 0) stream.write(joinFrames(messages));
    if (this.#isEnded) stream.end();
  }
}
