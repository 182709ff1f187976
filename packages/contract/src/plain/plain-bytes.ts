import { getTextEncoding } from "@bufbuild/protobuf/wire";

/** Thrown for anything that is not plain, and caught by the caller. Not an Error: its stack is not needed. */
export const notPlain = Symbol("not plain");

/** Up to here a text of ASCII is put together faster than a decoder is called. */
const shortText = 40;

/** Buffers for the characters of a short text, by length; reused. */
const characters = Array.from({ length: shortText + 1 }, (_, length) => new Array<number>(length).fill(0));

/**
 * Reads bytes in order, as most messages have them: numbers in few bytes, lengths that fit. Throws `notPlain` for anything
 * else; the caller then uses the full decoder.
 */
export class PlainBytes {
  readonly #bytes: Uint8Array;
  readonly #decodeUtf8 = getTextEncoding().decodeUtf8;
  at = 0;

  constructor(bytes: Uint8Array) {
    // Of a subclass, such as Node's Buffer, every piece that is cut out costs more.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** A number of up to seven bytes, which is exact. */
  varint(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    let value = first - 0x80;
    let scale = 0x80;
    for (let count = 1; count < 7; count++) {
      const byte = this.#byte();
      if (byte < 0x80) return value + byte * scale;
      value += (byte - 0x80) * scale;
      scale *= 0x80;
    }
    throw notPlain;
  }

  /** The end of a field whose length comes first, and which is inside of another one. */
  end(outer: number): number {
    const length = this.varint();
    const end = this.at + length;
    if (end > outer) throw notPlain;
    return end;
  }

  /** What was read already. It is not copied. */
  between(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  /** What lies between here and there. It is not copied. */
  bytes(end: number): Uint8Array {
    const bytes = this.#bytes.subarray(this.at, end);
    this.at = end;
    return bytes;
  }

  text(end: number): string {
    const length = end - this.at;
    if (length > shortText) return this.#decodeUtf8(this.bytes(end), true);
    const codes = characters[length] ?? [];
    for (let index = 0; index < length; index++) {
      const byte = this.#bytes[this.at + index] ?? 0x80;
      if (byte >= 0x80) return this.#decodeUtf8(this.bytes(end), true);
      codes[index] = byte;
    }
    this.at = end;
    return String.fromCharCode.apply(undefined, codes);
  }

  double(): number {
    const { buffer, byteOffset } = this.#bytes;
    if (this.at + 8 > this.length) throw notPlain;
    const value = new DataView(buffer, byteOffset + this.at, 8).getFloat64(0, true);
    this.at += 8;
    return value;
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw notPlain;
    return byte;
  }
}
