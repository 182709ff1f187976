import type { ServerHttp2Stream } from "node:http2";
import { AttachAgentResponseSchema, encodeAttachAgentResponse, encodeBinary } from "@baton/contract";
import { type DescMessage, isMessage, type MessageShape } from "@bufbuild/protobuf";
import { tooLarge } from "../errors/too-large.ts";

/** The flags and the length before each message. */
const prefixBytes = 5;

/** The most that is written at once, unless one message is larger. */
const burstBytes = 256 * 1024;

/** A message, as the pieces of its bytes. */
interface Encoded {
  readonly length: number;
  readonly pieces: readonly Uint8Array[];
}

/** The messages of a list up to the first that cannot be sent, and its error. */
interface ListFrames {
  readonly bytes: Buffer;
  readonly failure?: unknown;
}

/** Encodes the messages of a method, for all of its streams. */
export class GrpcFrames<Desc extends DescMessage> {
  readonly #schema: Desc;
  readonly #maxBytes: number;
  readonly #ofLists = new WeakMap<Iterable<MessageShape<Desc>> & object, ListFrames>();

  constructor(schema: Desc, maxBytes: number) {
    this.#schema = schema;
    this.#maxBytes = maxBytes;
  }

  /** Throws `ConnectError` when the message is too large. */
  encode(message: MessageShape<Desc>): Encoded {
    const pieces = encode(this.#schema, message);
    let length = 0;
    for (const piece of pieces) length += piece.length;
    if (length <= this.#maxBytes) return { length, pieces };
    throw tooLarge(this.#schema, message, {
      what: "a message of the stream",
      form: "binary",
      bytes: length,
      maxBytes: this.#maxBytes,
    });
  }

  /** Encodes each list once; lists do not change. */
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

/** Writes the messages of a gRPC response directly to HTTP/2, all that are ready at once in one write. */
export class GrpcAnswers<Desc extends DescMessage> {
  readonly #stream: ServerHttp2Stream;
  readonly #frames: GrpcFrames<Desc>;
  #ready: Encoded[] = [];
  #bytes = 0;
  #isScheduled = false;

  constructor(stream: ServerHttp2Stream, frames: GrpcFrames<Desc>) {
    this.#stream = stream;
    this.#frames = frames;
  }

  /** False when the client must read before more is written. */
  put(message: MessageShape<Desc>): boolean {
    const encoded = this.#frames.encode(message);
    this.#ready.push(encoded);
    this.#bytes += prefixBytes + encoded.length;
    if (this.#bytes >= burstBytes) this.flush();
    else this.#schedule();
    return !this.#stream.writableNeedDrain;
  }

  /**
   * The same for all messages of a list, whose bytes are shared by all streams that receive it. Throws at a message that is
   * too large, after the messages before it are written.
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

  /** After the reactions of all settled promises, and before new input. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isScheduled = false;
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

/** Most messages to an agent are already encoded in the journal. */
function encode<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): readonly Uint8Array[] {
  return isMessage(message, AttachAgentResponseSchema)
    ? encodeAttachAgentResponse(message)
    : [encodeBinary(schema, message)];
}
