import { ContractError } from "../validation/contract-error.ts";
import { GatheredBytes } from "./gathered-bytes.ts";

/** An encoded message. */
export interface Frame {
  readonly compressed: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const prefixBytes = 5;
const compressedFlag = 1;

/**
 * Cuts the chunks of a body into messages. As in gRPC and Connect, a byte of flags and four bytes of length precede each
 * message. Messages are copies, so that keeping one does not retain its chunk.
 */
export class FrameCutter {
  readonly #typeName: string;
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  /** The position in the first chunk. */
  #at = 0;
  /** The beginning of a message that spans chunks. */
  readonly #gathered = new GatheredBytes();
  #opened: { readonly compressed: boolean; readonly length: number } | undefined;
  #uncut = 0;

  constructor(typeName: string, maxBytes: number) {
    this.#typeName = typeName;
    this.#maxBytes = maxBytes;
  }

  /** Received bytes that are not yet part of a message. */
  get uncut(): number {
    return this.#uncut;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#uncut += chunk.length;
  }

  /** The next message, once it is complete. Throws `ContractError` when it is too large. */
  next(): Frame | undefined {
    this.#opened ??= this.#open();
    if (this.#opened === undefined) return undefined;
    const { compressed, length } = this.#opened;
    const bytes = this.#take(length);
    if (bytes === undefined) return undefined;
    this.#opened = undefined;
    return { compressed, bytes };
  }

  /** Throws `ContractError` when the body ends within a message. */
  end(): void {
    if (this.#uncut > 0 || this.#gathered.length > 0 || this.#opened !== undefined)
      throw malformed(this.#typeName, "the last message is cut off");
  }

  #open(): { readonly compressed: boolean; readonly length: number } | undefined {
    const chunk = this.#chunks[0];
    if (chunk !== undefined && this.#isWithin(chunk, prefixBytes)) {
      const opened = this.#readPrefix(chunk, this.#at);
      this.#advance(chunk, prefixBytes);
      return opened;
    }
    const bytes = this.#gather(prefixBytes);
    return bytes && this.#readPrefix(bytes, 0);
  }

  #readPrefix(bytes: Uint8Array, at: number): { readonly compressed: boolean; readonly length: number } {
    const flags = bytes[at] ?? 0;
    if (flags > compressedFlag) throw malformed(this.#typeName, `unknown message flags ${flags}`);
    let length = 0;
    for (let index = 1; index < prefixBytes; index++) length = length * 0x100 + (bytes[at + index] ?? 0);
    checkBytes(length, this.#typeName, this.#maxBytes);
    return { compressed: flags === compressedFlag, length };
  }

  /** The next `count` bytes, once they have arrived. */
  #take(count: number): Uint8Array<ArrayBuffer> | undefined {
    const chunk = this.#chunks[0];
    if (chunk === undefined || !this.#isWithin(chunk, count)) return this.#gather(count);
    const taken = new Uint8Array(count);
    taken.set(chunk.subarray(this.#at, this.#at + count));
    this.#advance(chunk, count);
    return taken;
  }

  /** Whether the first chunk contains the next `count` bytes. */
  #isWithin(chunk: Uint8Array, count: number): boolean {
    return this.#gathered.length === 0 && chunk.length - this.#at >= count;
  }

  /** The next `count` bytes from several chunks, once they have arrived. */
  #gather(count: number): Uint8Array<ArrayBuffer> | undefined {
    while (this.#gathered.length < count) {
      const next = this.#chunks[0];
      if (next === undefined) return undefined;
      const part = next.subarray(this.#at, this.#at + count - this.#gathered.length);
      this.#gathered.add(part);
      this.#advance(next, part.length);
    }
    return this.#gathered.take();
  }

  #advance(chunk: Uint8Array, count: number): void {
    this.#at += count;
    this.#uncut -= count;
    if (this.#at < chunk.length) return;
    this.#chunks.shift();
    this.#at = 0;
  }
}

export function checkBytes(bytes: number, typeName: string, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const problem = `${bytes} bytes exceed the limit of ${maxBytes}`;
  throw new ContractError("BATON-CONTRACT-001", typeName, problem);
}

export function unknownCompression(typeName: string): ContractError {
  return malformed(typeName, "the message is compressed, and no header names the compression");
}

function malformed(typeName: string, problem: string): ContractError {
  return new ContractError("BATON-CONTRACT-002", typeName, problem);
}
