import type { ServerHttp2Stream } from "node:http2";
import { AttachAgentResponseSchema, encodeAttachAgentResponse, encodeBinary } from "@baton/contract";
import { type DescMessage, isMessage, type MessageShape } from "@bufbuild/protobuf";
import { tooLarge } from "../errors/too-large.ts";

/** In front of each message: whether it is compressed, and its length. */
const prefixBytes = 5;

/** What is written at once at the most, unless one message is larger. */
const burstBytes = 256 * 1024;

/** A message, in the pieces that its bytes are made of. */
interface Encoded {
  readonly length: number;
  readonly pieces: readonly Uint8Array[];
}

/** The messages of a list, up to the first that cannot be sent, and why that is so. */
interface ListFrames {
  readonly bytes: Buffer;
  readonly failure?: unknown;
}

/** The messages of a method as bytes, for all streams on which it is called. */
export class GrpcFrames<Desc extends DescMessage> {
  readonly #schema: Desc;
  readonly #maxBytes: number;
  readonly #ofLists = new WeakMap<Iterable<MessageShape<Desc>> & object, ListFrames>();

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
  ofList(messages: Iterable<MessageShape<Desc>> & object): ListFrames {
    const known = this.#ofLists.get(messages);
    if (known) return known;
    const frames = this.#join(messages);
    this.#ofLists.set(messages, frames);
    return frames;
  }

  #join(messages: Iterable<MessageShape<Desc>>): ListFrames {
    const encoded: Encoded[] = [];
    let bytes = 0;
    try {
      for (const message of messages) {
        const one = this.encode(message);
        bytes += prefixBytes + one.length;
        encoded.push(one);
      }
      return { bytes: join(encoded, bytes) };
    } catch (failure) {
      return { bytes: join(encoded, bytes), failure };
    }
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

  /**
   * The same of all messages of a list, which are the same bytes for whoever else is given that list. Throws for one that is
   * too large, when what is before it is written.
   */
  putAll(messages: Iterable<MessageShape<Desc>> & object): boolean {
    const { bytes, failure } = this.#frames.ofList(messages);
    this.flush();
    if (this.#stream.writable && bytes.length > 0) this.#stream.write(bytes);
    if (failure !== undefined) throw failure;
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
