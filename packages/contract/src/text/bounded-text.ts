import { decodeAnything } from "./text-encoding.ts";

/**
 * The output of a program, as evidence holds it: beginning and end are kept, because one of them states the error, and the
 * dropped part between is marked. Agents and the hub both use it, so that the same run gives the same text.
 */
export class BoundedText {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #head: Uint8Array[] = [];
  #headSize = 0;
  #tail: Uint8Array[] = [];
  #tailSize = 0;
  #dropped = 0;

  /** By default, half of the bytes for each. */
  constructor(headBytes: number, tailBytes?: number) {
    this.#headBytes = tailBytes === undefined ? headBytes >> 1 : headBytes;
    this.#tailBytes = tailBytes ?? headBytes >> 1;
  }

  push(piece: Uint8Array): void {
    const room = this.#headBytes - this.#headSize;
    if (room > 0) {
      const first = copyOf(piece.subarray(0, room));
      this.#head.push(first);
      this.#headSize += first.length;
    }
    if (piece.length > room) this.#pushTail(room > 0 ? piece.subarray(room) : piece);
  }

  /** Some of it was left out. */
  get isCut(): boolean {
    this.#trim();
    return this.#dropped > 0;
  }

  toString(): string {
    this.#trim();
    const [head, tail] = [join(this.#head), join(this.#tail)];
    if (this.#dropped === 0) return decodeAnything(join([head, tail]));
    const [start, end] = [withoutCutEnd(head), withoutCutStart(tail)];
    const cut = this.#dropped + (head.length - start.length) + (tail.length - end.length);
    return `${decodeAnything(start)}\n[… ${cut} bytes left out …]\n${decodeAnything(end)}`;
  }

  #pushTail(piece: Uint8Array): void {
    this.#tail.push(copyOf(piece));
    this.#tailSize += piece.length;
    // A few pieces at a time, so that a program that prints byte by byte does not make us copy for each.
    if (this.#tailSize > 2 * this.#tailBytes || this.#tail.length > 1_024) this.#trim();
  }

  #trim(): void {
    const all = join(this.#tail);
    const over = Math.max(0, all.length - this.#tailBytes);
    this.#dropped += over;
    this.#tail = [over > 0 ? copyOf(all.subarray(over)) : all];
    this.#tailSize = all.length - over;
  }
}

/** Not `slice`, which in a Buffer of Node gives the same bytes again. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Without an incomplete last character. */
function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Without the rest of an incomplete first character. */
function withoutCutStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
