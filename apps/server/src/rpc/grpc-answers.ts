import type { ServerHttp2Stream } from "node:http2";
import { AttachAgentResponseSchema, encodeAttachAgentResponse, encodeBinary } from "@baton/contract";
import { type DescMessage, isMessage, type MessageShape } from "@bufbuild/protobuf";
import { tooLarge } from "./too-large.ts";

const prefixBytes = 5;

/** What is written at once at the most, unless one message is larger. */
const burstBytes = 256 * 1024;

/** A message, in the pieces that its bytes are made of. */
interface Encoded {
  readonly length: number;
  readonly pieces: readonly Uint8Array[];
}

/** The messages of a gRPC answer, straight to HTTP/2: all that are ready together leave in one piece. */
export class GrpcAnswers<Desc extends DescMessage> {
  readonly #stream: ServerHttp2Stream;
  readonly #schema: Desc;
  readonly #maxBytes: number;
  #ready: Encoded[] = [];
  #bytes = 0;
  #isPlanned = false;

  constructor(stream: ServerHttp2Stream, schema: Desc, maxBytes: number) {
    this.#stream = stream;
    this.#schema = schema;
    this.#maxBytes = maxBytes;
  }

  /** False when the client has to read before there is more. */
  put(message: MessageShape<Desc>): boolean {
    const pieces = encode(this.#schema, message);
    let length = 0;
    for (const piece of pieces) length += piece.length;
    if (length > this.#maxBytes) {
      const what = "a message of the stream";
      throw tooLarge(this.#schema, message, {
        what,
        form: "binary",
        bytes: length,
        mostBytes: this.#maxBytes,
      });
    }
    this.#ready.push({ length, pieces });
    this.#bytes += prefixBytes + length;
    if (this.#bytes >= burstBytes) this.flush();
    else this.#plan();
    return !this.#stream.writableNeedDrain;
  }

  flush(): void {
    if (this.#ready.length === 0) return;
    const burst = Buffer.allocUnsafe(this.#bytes);
    let at = 0;
    for (const { length, pieces } of this.#ready) {
      burst[at] = 0; // Not compressed.
      burst.writeUInt32BE(length, at + 1);
      at += prefixBytes;
      for (const piece of pieces) {
        burst.set(piece, at);
        at += piece.length;
      }
    }
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

/** Most of what an agent is told is in the journal already, with the bytes it travels in. */
function encode<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): readonly Uint8Array[] {
  return isMessage(message, AttachAgentResponseSchema)
    ? encodeAttachAgentResponse(message)
    : [encodeBinary(schema, message)];
}
