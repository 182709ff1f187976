import type { ServerHttp2Stream } from "node:http2";
import { assertValid, decodeBinary, defaultLimits, type Limits } from "@baton/contract";
import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import { compressedUnsaid, FrameCutter } from "../body/frame-cutter.ts";
import { tooSlow, wentAway } from "../body/limit-body-time.ts";
import type { ServerLimits } from "../limits.ts";

interface Reader<Message> {
  resolve(next: IteratorResult<Message, undefined>): void;
  reject(error: unknown): void;
}

/** Bytes that are read ahead of who asks for messages; beyond, the sender has to wait. */
const readAheadBytes = 64 * 1024;

/**
 * The messages of a gRPC stream, straight from HTTP/2: each is cut out and decoded when it is asked for. The first one
 * has to be there in time and is checked against the rules; those that follow are for the method to judge. Of a method
 * with one request, its end has to be there in time too.
 */
export class GrpcRequests<Desc extends DescMessage> implements AsyncIterable<MessageShape<Desc>> {
  readonly #stream: ServerHttp2Stream;
  readonly #schema: Desc;
  readonly #limits: Limits;
  readonly #nowMs: () => number;
  readonly #isOne: boolean;
  readonly #cutter: FrameCutter;
  readonly #timer: NodeJS.Timeout;
  #reader: Reader<MessageShape<Desc>> | undefined;
  #isFirst = true;
  #isEnded = false;
  #broken: unknown;

  constructor(
    stream: ServerHttp2Stream,
    { input, methodKind }: DescMethod & { readonly input: Desc },
    { messageBytes, bodyTimeoutMs }: ServerLimits,
    nowMs: () => number,
  ) {
    this.#stream = stream;
    this.#schema = input;
    this.#isOne = methodKind === "server_streaming";
    this.#limits = { ...defaultLimits, maxBytes: messageBytes };
    this.#nowMs = nowMs;
    this.#cutter = new FrameCutter(input.typeName, messageBytes);
    this.#timer = setTimeout(() => this.#break(tooSlow(bodyTimeoutMs)), bodyTimeoutMs);
    stream.on("data", (piece: Uint8Array) => this.#add(piece));
    stream.once("end", () => {
      this.#isEnded = true;
      if (this.#isOne) clearTimeout(this.#timer);
      this.#serve();
    });
    stream.once("close", () => this.stop());
  }

  /** Why the messages ended before their end; undefined when they did not. */
  get broken(): unknown {
    return this.#broken;
  }

  [Symbol.asyncIterator](): AsyncIterator<MessageShape<Desc>, undefined> {
    return {
      next: () =>
        new Promise((resolve, reject) => {
          this.#reader = { resolve, reject };
          this.#serve();
        }),
    };
  }

  /** Nobody asks for more, and no more will come. */
  stop(): void {
    if (!this.#isEnded) this.#break(wentAway());
    clearTimeout(this.#timer);
  }

  #add(piece: Uint8Array): void {
    if (this.#broken !== undefined) return; // Thrown away: nobody reads on.
    this.#cutter.add(piece);
    this.#serve();
    if (this.#cutter.uncut > readAheadBytes && this.#reader === undefined) this.#stream.pause();
  }

  #break(error: unknown): void {
    this.#broken ??= error;
    this.#serve();
  }

  /** Gives whoever asks the next message, as soon as it is there. */
  #serve(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    try {
      const next = this.#next();
      if (next === undefined) {
        if (this.#stream.isPaused()) this.#stream.resume();
        return;
      }
      this.#reader = undefined;
      reader.resolve(next);
    } catch (error) {
      this.#broken ??= error;
      this.#reader = undefined;
      reader.reject(error);
    }
  }

  #next(): IteratorResult<MessageShape<Desc>, undefined> | undefined {
    if (this.#broken !== undefined) throw this.#broken;
    const frame = this.#cutter.next();
    if (frame !== undefined) {
      if (frame.compressed) throw compressedUnsaid(this.#schema.typeName);
      return { done: false, value: this.#decode(frame.bytes) };
    }
    if (!this.#isEnded) return undefined;
    this.#cutter.end();
    return { done: true, value: undefined };
  }

  #decode(bytes: Uint8Array): MessageShape<Desc> {
    const message = decodeBinary(this.#schema, bytes, this.#limits);
    if (!this.#isFirst) return message;
    this.#isFirst = false;
    if (!this.#isOne) clearTimeout(this.#timer);
    assertValid(this.#schema, message, { nowMs: this.#nowMs() });
    return message;
  }
}
