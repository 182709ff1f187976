import type { ServerHttp2Stream } from "node:http2";
import { AttachAgentResponseSchema, encodeAttachAgentResponse, encodeBinary } from "@baton/contract";
import { type DescMessage, isMessage, type MessageShape } from "@bufbuild/protobuf";
import { tooLarge } from "./too-large.ts";

/** In front of each message: whether it is compressed, and its length. */
const prefixBytes = 5;

/** What is written at once at the most, unless one message is larger. */
const burstBytes = 256 * 1024;

/** A message, in the pieces that its bytes are made of. */
interface Encoded {
  readonly length: number;
  readonly pieces: readonly Uint8Array[];
}

/** The messages of a method as bytes, for all streams on which it is called. */
export class GrpcFrames<Desc extends DescMessage> {
  readonly #schema: Desc;
  readonly #maxBytes: number;
  readonly #ofLists = new WeakMap<readonly MessageShape<Desc>[], Buffer>();

  constructor(schema: Desc, maxBytes: number) {
    this.#schema = schema;
    this.#maxBytes = maxBytes;
  }

  /** Throws `ConnectError` when it is larger than a message may be. */
  encode(message: MessageShape<Desc>): Encoded {
    const pieces = encode(this.#schema, message);
    let length = 0;
    for (const piece of pieces) length += piece.length;
    if (length <= this.#maxBytes) return { length, pieces };
    throw tooLarge(this.#schema, message, {
      what: "a message of the stream",
      form: "binary",
      bytes: length,
      mostBytes: this.#maxBytes,
    });
  }

  /** A list is not changed once it is there; it is encoded at the first call, and the same bytes at every other one. */
  ofList(messages: readonly MessageShape<Desc>[]): Buffer {
    const known = this.#ofLists.get(messages);
    if (known) return known;
    let bytes = 0;
    const encoded = messages.map((message) => {
      const one = this.encode(message);
      bytes += prefixBytes + one.length;
      return one;
    });
    const frames = join(encoded, bytes);
    this.#ofLists.set(messages, frames);
    return frames;
  }
}

/** The messages of a gRPC answer, straight to HTTP/2: all that are ready together leave in one piece. */
export class GrpcAnswers<Desc extends DescMessage> {
  readonly #stream: ServerHttp2Stream;
  readonly #frames: GrpcFrames<Desc>;
  #ready: Encoded[] = [];
  #bytes = 0;
  #isPlanned = false;

  constructor(stream: ServerHttp2Stream, frames: GrpcFrames<Desc>) {
    this.#stream = stream;
    this.#frames = frames;
  }

  /** False when the client has to read before there is more. */
  put(message: MessageShape<Desc>): boolean {
    const encoded = this.#frames.encode(message);
    this.#ready.push(encoded);
    this.#bytes += prefixBytes + encoded.length;
    if (this.#bytes >= burstBytes) this.flush();
    else this.#plan();
    return !this.#stream.writableNeedDrain;
  }

  /** The same of all messages of a list, which are the same bytes for whoever else is given that list. */
  putAll(messages: readonly MessageShape<Desc>[]): boolean {
    const bytes = this.#frames.ofList(messages);
    this.flush();
    if (this.#stream.writable) this.#stream.write(bytes);
    return !this.#stream.writableNeedDrain;
  }

  flush(): void {
    if (this.#ready.length === 0) return;
    const burst = join(this.#ready, this.#bytes);
    this.#ready = [];
    this.#bytes = 0;
    if (this.#stream.writable) this.#stream.write(burst);
  }

  /** When all promises that are settled by now have been heard, and before anything new comes in. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isPlanned = false;
        this.flush();
      }),
    );
  }
}

function join(messages: readonly Encoded[], bytes: number): Buffer {
  const burst = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const { length, pieces } of messages) {
    burst[at] = 0; // Not compressed.
    burst.writeUInt32BE(length, at + 1);
    at += prefixBytes;
    for (const piece of pieces) {
      burst.set(piece, at);
      at += piece.length;
    }
  }
  return burst;
}

/** Most of what an agent is told is in the journal already, with the bytes it travels in. */
function encode<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): readonly Uint8Array[] {
  return isMessage(message, AttachAgentResponseSchema)
    ? encodeAttachAgentResponse(message)
    : [encodeBinary(schema, message)];
}
