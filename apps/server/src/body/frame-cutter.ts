import { ContractError } from "@baton/contract";
import { GatheredBytes } from "./gathered-bytes.ts";

/** A message as it travels. */
export interface Frame {
  readonly compressed: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const prefixBytes = 5;
const compressedFlag = 1;

/**
 * Cuts the pieces of a body into messages, each behind a byte of flags and four bytes of length, as gRPC and Connect
 * write them. A message is a copy of its own: what is kept of it does not keep the piece that it came in.
 */
export class FrameCutter {
  readonly #typeName: string;
  readonly #maxBytes: number;
  readonly #pieces: Uint8Array[] = [];
  /** Where the first piece goes on. */
  #at = 0;
  /** The beginning of what comes in more than one piece. */
  readonly #gathered = new GatheredBytes();
  #opened: { readonly compressed: boolean; readonly length: number } | undefined;
  #uncut = 0;

  constructor(typeName: string, maxBytes: number) {
    this.#typeName = typeName;
    this.#maxBytes = maxBytes;
  }

  /** Bytes that have come and are not part of a message yet. */
  get uncut(): number {
    return this.#uncut;
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#uncut += piece.length;
  }

  /** The next message, when all of it has come. Throws `ContractError` for one that is too large. */
  next(): Frame | undefined {
    this.#opened ??= this.#open();
    if (this.#opened === undefined) return undefined;
    const { compressed, length } = this.#opened;
    const bytes = this.#take(length);
    if (bytes === undefined) return undefined;
    this.#opened = undefined;
    return { compressed, bytes };
  }

  /** The body is over. Throws `ContractError` when it ends within a message. */
  end(): void {
    if (this.#uncut > 0 || this.#gathered.length > 0 || this.#opened !== undefined)
      throw malformed(this.#typeName, "the last message is cut off");
  }

  #open(): { readonly compressed: boolean; readonly length: number } | undefined {
    const piece = this.#pieces[0];
    if (piece !== undefined && this.#isWithin(piece, prefixBytes)) {
      const opened = this.#readPrefix(piece, this.#at);
      this.#advance(piece, prefixBytes);
      return opened;
    }
    const bytes = this.#gather(prefixBytes);
    return bytes && this.#readPrefix(bytes, 0);
  }

  #readPrefix(bytes: Uint8Array, at: number): { readonly compressed: boolean; readonly length: number } {
    const flags = bytes[at] ?? 0;
    if (flags > compressedFlag)
      throw malformed(this.#typeName, `the flags ${flags} before a message mean nothing`);
    let length = 0;
    for (let index = 1; index < prefixBytes; index++) length = length * 0x100 + (bytes[at + index] ?? 0);
    checkBytes(length, this.#typeName, this.#maxBytes);
    return { compressed: flags === compressedFlag, length };
  }

  /** So many bytes, when they are there. */
  #take(count: number): Uint8Array<ArrayBuffer> | undefined {
    const piece = this.#pieces[0];
    if (piece === undefined || !this.#isWithin(piece, count)) return this.#gather(count);
    const taken = new Uint8Array(count);
    taken.set(piece.subarray(this.#at, this.#at + count));
    this.#advance(piece, count);
    return taken;
  }

  /** Whether the next so many bytes are all in the first piece. */
  #isWithin(piece: Uint8Array, count: number): boolean {
    return this.#gathered.length === 0 && piece.length - this.#at >= count;
  }

  /** So many bytes out of more than one piece, when they are there. */
  #gather(count: number): Uint8Array<ArrayBuffer> | undefined {
    while (this.#gathered.length < count) {
      const next = this.#pieces[0];
      if (next === undefined) return undefined;
      const part = next.subarray(this.#at, this.#at + count - this.#gathered.length);
      this.#gathered.add(part);
      this.#advance(next, part.length);
    }
    return this.#gathered.take();
  }

  #advance(piece: Uint8Array, count: number): void {
    this.#at += count;
    this.#uncut -= count;
    if (this.#at < piece.length) return;
    this.#pieces.shift();
    this.#at = 0;
  }
}

export function checkBytes(bytes: number, typeName: string, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  const problem = `${bytes} bytes are more than the ${maxBytes} that are accepted`;
  throw new ContractError("BATON-CONTRACT-001", typeName, problem);
}

export function compressedUnsaid(typeName: string): ContractError {
  return malformed(typeName, "it is compressed, and no header says how");
}

function malformed(typeName: string, problem: string): ContractError {
  return new ContractError("BATON-CONTRACT-002", typeName, problem);
}
