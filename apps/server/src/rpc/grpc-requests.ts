import type { ServerHttp2Stream } from "node:http2";
import {
  assertValid,
  decodeBinary,
  defaultLimits,
  FrameCutter,
  type Limits,
  unknownCompression,
} from "@baton/contract";
import type { DescMessage, DescMethod, MessageShape } from "@bufbuild/protobuf";
import { tooSlow, wentAway } from "../body/limit-body-time.ts";
import type { ServerLimits } from "../limits.ts";

interface Reader<Message> {
  resolve(next: IteratorResult<Message, undefined>): void;
  reject(error: unknown): void;
}

/** Bytes that are read before messages are requested; beyond, the sender has to wait. */
const readAheadBytes = 64 * 1024;

/**
 * The messages of a gRPC stream, directly from HTTP/2: each is decoded when it is requested. The first one has a timeout and
 * is validated; the method validates the others. For a method with one request, the timeout includes the end of the stream.
 */
export class GrpcRequests<Desc extends DescMessage> implements AsyncIterable<MessageShape<Desc>> {
  readonly #stream: ServerHttp2Stream;
  readonly #schema: Desc;
  readonly #limits: Limits;
  readonly #nowMs: () => number;
  readonly #isSingle: boolean;
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
    this.#isSingle = methodKind === "server_streaming";
    this.#limits = { ...defaultLimits, maxBytes: messageBytes };
    this.#nowMs = nowMs;
    this.#cutter = new FrameCutter(input.typeName, messageBytes);
    this.#timer = setTimeout(() => this.#break(tooSlow(bodyTimeoutMs)), bodyTimeoutMs);
    stream.on("data", (piece: Uint8Array) => this.#add(piece));
    stream.once("end", () => {
      this.#isEnded = true;
      if (this.#isSingle) clearTimeout(this.#timer);
      this.#serve();
    });
    stream.once("close", () => this.stop());
  }

  /** Why the messages were cut off; undefined when they were not. */
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

  stop(): void {
    if (!this.#isEnded) this.#break(wentAway());
    clearTimeout(this.#timer);
  }

  #add(piece: Uint8Array): void {
    if (this.#broken !== undefined) return; // Discarded.
    this.#cutter.add(piece);
    this.#serve();
    if (this.#cutter.uncut > readAheadBytes && this.#reader === undefined) this.#stream.pause();
  }

  #break(error: unknown): void {
    this.#broken ??= error;
    this.#serve();
  }

  /** Resolves the pending read once the next message has arrived. */
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
      if (frame.compressed) throw unknownCompression(this.#schema.typeName);
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
    if (!this.#isSingle) clearTimeout(this.#timer);
    assertValid(this.#schema, message, { nowMs: this.#nowMs() });
    return message;
  }
}
