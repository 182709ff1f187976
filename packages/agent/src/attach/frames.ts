import { ContractError } from "@baton/contract";

const prefixBytes = 5;
const compressedFlag = 1;

/** Messages as gRPC writes them, in one piece: each behind a byte of flags and four bytes of length. */
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

/** Cuts the pieces of a stream into messages. */
export class FrameCutter {
  readonly #typeName: string;
  readonly #maxBytes: number;
  /** What has come and is not cut; more than one piece only while a message is not complete. */
  #pieces: Buffer[] = [];
  #held = 0;
  #wanted = prefixBytes;

  constructor(typeName: string, maxBytes: number) {
    this.#typeName = typeName;
    this.#maxBytes = maxBytes;
  }

  /** The messages that are complete with this piece. Throws `ContractError` for one that no hub may send. */
  *cut(piece: Buffer): Generator<Uint8Array> {
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held < this.#wanted) return;
    let rest = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#held);
    for (;;) {
      this.#wanted = rest.length < prefixBytes ? prefixBytes : this.#lengthOf(rest);
      if (rest.length < this.#wanted) break;
      yield rest.subarray(prefixBytes, this.#wanted);
      rest = rest.subarray(this.#wanted);
    }
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
  }

  /** Of the message that begins here, with what is before it. */
  #lengthOf(bytes: Buffer): number {
    const length = bytes.readUInt32BE(1);
    if (bytes[0] === compressedFlag) throw this.#malformed("it is compressed, and was not asked to be");
    if (bytes[0] !== 0) throw this.#malformed(`the flags ${bytes[0]} before a message mean nothing`);
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
