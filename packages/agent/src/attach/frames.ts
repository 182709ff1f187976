import { ContractError } from "@baton/contract";

const prefixBytes = 5;
const compressedFlag = 1;

/** Messages in gRPC framing: each after a byte of flags and four bytes of length. */
export function joinFrames(messages: readonly Uint8Array[]): Uint8Array {
  const length = messages.reduce((sum, message) => sum + prefixBytes + message.length, 0);
  const joined = Buffer.allocUnsafe(length);
  let at = 0;
  for (const message of messages) {
    joined[at] = 0; // Not compressed.
    joined.writeUInt32BE(message.length, at + 1);
    joined.set(message, at + prefixBytes);
    at += prefixBytes + message.length;
  }
  return joined;
}

/** Splits the chunks of a stream into messages. */
export class FrameSplitter {
  readonly #typeName: string;
  readonly #maxBytes: number;
  /** Unread chunks; more than one only while a message is incomplete. */
  #chunks: Buffer[] = [];
  #held = 0;
  #wanted = prefixBytes;

  constructor(typeName: string, maxBytes: number) {
    this.#typeName = typeName;
    this.#maxBytes = maxBytes;
  }

  /** Yields the messages that are complete with this chunk. Throws `ContractError` for an invalid frame. */
  *split(chunk: Buffer): Generator<Uint8Array> {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#wanted) return;
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#held);
    for (;;) {
      this.#wanted = rest.length < prefixBytes ? prefixBytes : this.#lengthOf(rest);
      if (rest.length < this.#wanted) break;
      yield rest.subarray(prefixBytes, this.#wanted);
      rest = rest.subarray(this.#wanted);
    }
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
  }

  /** The length of the frame that begins here. */
  #lengthOf(bytes: Buffer): number {
    const length = bytes.readUInt32BE(1);
    if (bytes[0] === compressedFlag) throw this.#malformed("it is compressed, which was not negotiated");
    if (bytes[0] !== 0) throw this.#malformed(`unknown flags ${bytes[0]} before a message`);
    if (length > this.#maxBytes) {
      const problem = `${length} bytes are more than the ${this.#maxBytes} that are accepted`;
      throw new ContractError("BATON-CONTRACT-001", this.#typeName, problem);
    }
    return prefixBytes + length;
  }

  #malformed(problem: string): ContractError {
    return new ContractError("BATON-CONTRACT-002", this.#typeName, problem);
  }
}
