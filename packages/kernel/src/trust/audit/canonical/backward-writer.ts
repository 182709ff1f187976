/**
 * Writes protobuf's binary form from the end to the front: what is written last comes first. The length of a nested
 * message precedes it and is known only after it is written, so writing backwards moves nothing.
 */
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import type { TextRedaction } from "../../redaction/redactor.ts";

/** Enough for the entries of many decisions. */
const capacity = 262_144;

/** A buffer larger than this is not kept for the next message. */
const maxKept = 1_048_576;

/** With less free space, most decisions would have to move to a new buffer while they are written. */
const minFreeSpace = 16_384;

const maxSafeInteger = BigInt(Number.MAX_SAFE_INTEGER);

const unredacted: TextRedaction = {
  copyPlain: (text, target, start) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f) return false;
      target[start + at] = code;
    }
    return true;
  },
  redact: (text) => text,
};

export class BackwardWriter {
  #buffer = new Uint8Array(0);
  /** The end of what was written since the last `leave`. */
  #end = 0;
  /** The start of what was written last. */
  #start = 0;

  /**
   * Changes when the memory is replaced or reused; counts from one. Within one era, positions stay valid.
   */
  era = 1;

  /** The position in the memory where what was written last begins. */
  get position(): number {
    return this.#start;
  }

  /** Written bytes. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** Discards what was written and reuses the memory. */
  clear(): void {
    if (this.#buffer.length > maxKept) this.#buffer = new Uint8Array(0);
    this.#start = this.#end = this.#buffer.length;
    this.era++;
  }

  /**
   * Starts the next message in front of the written ones, which stay valid. Many messages share a buffer, because
   * allocating one for each costs more than writing.
   */
  leave(): void {
    if (this.#start < minFreeSpace || this.#buffer.length > maxKept) {
      this.#buffer = new Uint8Array(capacity);
      this.#start = capacity;
      this.era++;
    }
    this.#end = this.#start;
  }

  /** Discards the bytes that were written last. */
  drop(count: number): void {
    this.#start += count;
  }

  /** The bytes that were written last, as a view that the next write may change. */
  peek(count: number): Uint8Array {
    return new Uint8Array(this.#buffer.buffer, this.#start, count);
  }

  /** A view of `length` bytes that are followed by `behind` bytes; valid until `clear`. */
  view(length: number, behind: number): Uint8Array {
    return new Uint8Array(this.#buffer.buffer, this.#end - behind - length, length);
  }

  /** A copy of all written bytes. */
  copy(): Uint8Array {
    return this.#buffer.slice(this.#start, this.#end);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#start);
  }

  /** Copies what was written in this era, from one position to another. */
  again(from: number, to: number): void {
    const source = this.#buffer;
    this.#reserve(to - from);
    if (source === this.#buffer) source.copyWithin(this.#start, from, to);
    else this.#buffer.set(source.subarray(from, to), this.#start);
  }

  /** Overwrites bytes that are followed by `behind` bytes. */
  fill(behind: number, bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#end - behind - bytes.length);
  }

  /** A length, a tag or any other number up to the largest safe integer, as a varint. */
  varint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1);
      this.#buffer[this.#start] = value;
      return;
    }
    this.#reserve(sizeOfVarint(value));
    const buffer = this.#buffer;
    let at = this.#start;
    let rest = value;
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 0x80)) buffer[at++] = (rest % 0x80) | 0x80;
    for (; rest > 0x7f; rest >>>= 7) buffer[at++] = (rest & 0x7f) | 0x80;
    buffer[at] = rest;
  }

  /** The prefix of a length-delimited value: the tag of its field, and the length. */
  head(tag: number, length: number): void {
    if (tag > 0x7f || length > 0x7f) {
      this.varint(length);
      return this.varint(tag);
    }
    this.#reserve(2);
    this.#buffer[this.#start] = tag;
    this.#buffer[this.#start + 1] = length;
  }

  int32(value: number): void {
    if (value !== (value | 0)) throw new RangeError(`${value} is no number of 32 bits`);
    if (value < 0) this.int64(BigInt(value));
    else this.varint(value);
  }

  int64(value: bigint): void {
    if (value >= 0n && value <= maxSafeInteger) return this.varint(Number(value));
    if (value !== BigInt.asIntN(64, value)) throw new RangeError(`${value} is no number of 64 bits`);
    const groups: number[] = [];
    for (let rest = BigInt.asUintN(64, value); rest > 0n; rest >>= 7n) {
      groups.push(Number(rest & 0x7fn) | 0x80);
    }
    groups.push((groups.pop() ?? 0) & 0x7f);
    this.raw(Uint8Array.from(groups));
  }

  /** Most texts are short, ASCII and without secrets; calling the encoder takes longer than writing these directly. */
  text(text: string, redaction: TextRedaction = unredacted): void {
    this.#reserve(text.length);
    if (redaction.copyPlain(text, this.#buffer, this.#start)) return;
    this.drop(text.length);
    this.raw(getTextEncoding().encodeUtf8(redaction.redact(text)));
  }

  /** Reserves bytes that the caller then writes. */
  #reserve(count: number): void {
    if (count > this.#start) this.#grow(count);
    this.#start -= count;
  }

  #grow(count: number): void {
    const { length } = this;
    const grown = new Uint8Array(Math.max(capacity, (length + count) * 2));
    const start = grown.length - length;
    grown.set(this.#buffer.subarray(this.#start, this.#end), start);
    this.#buffer = grown;
    this.#start = start;
    this.#end = grown.length;
    this.era++;
  }
}

function sizeOfVarint(value: number): number {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
