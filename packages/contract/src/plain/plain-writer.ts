import { getTextEncoding } from "@bufbuild/protobuf/wire";
import { notPlain } from "./plain-bytes.ts";
import { copyOf } from "./shared-memory.ts";

/** Room for most messages. A larger one goes the long way. */
const roomBytes = 32 * 1024;

/** Up to here a text of ASCII is written faster than an encoder is called. */
const shortText = 40;

/** A character of one UTF-16 unit has three bytes at the most, one of two units has four. */
const bytesPerUnit = 3;

/**
 * Writes into a room that is used again for every message: to make new room each time costs more than to write. What does
 * not fit, or is a number of many bytes, is `notPlain`.
 */
export class PlainWriter {
  readonly #room = new Uint8Array(roomBytes);
  readonly #view = new DataView(this.#room.buffer);
  readonly #encodeUtf8Into = getTextEncoding().encodeUtf8Into;
  at = 0;

  /** A copy of what was written since the start. */
  written(): Uint8Array {
    return copyOf(this.#room.subarray(0, this.at));
  }

  /** A whole number that is not negative, and exact. */
  varint(value: number): void {
    this.#need(8);
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) throw notPlain;
    let rest = value;
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 0x80)) this.#room[this.at++] = (rest % 0x80) + 0x80;
    for (; rest > 0x7f; rest >>>= 7) this.#room[this.at++] = (rest & 0x7f) + 0x80;
    this.#room[this.at++] = rest;
  }

  double(value: number): void {
    this.#need(8);
    this.#view.setFloat64(this.at, value, true);
    this.at += 8;
  }

  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.#need(value.length);
    this.#room.set(value, this.at);
    this.at += value.length;
  }

  text(value: string): void {
    this.#need(bytesPerUnit * value.length + 8);
    const start = this.open();
    if (value.length > shortText || !this.#ascii(value)) {
      this.at = start;
      this.at += this.#encodeUtf8Into(value, this.#room.subarray(start)).written;
    }
    this.close(start);
  }

  #ascii(value: string): boolean {
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) return false;
      this.#room[this.at++] = code;
    }
    return true;
  }

  /** Begins a field that has its length before it. Returns where what is in it begins. */
  begin(tag: number): number {
    this.varint(tag);
    return this.open();
  }

  /** Begins what has its length before it, and leaves one byte for that. Returns where it begins. */
  open(): number {
    this.#need(1);
    this.at++;
    return this.at;
  }

  close(start: number): void {
    const length = this.at - start;
    if (length < 0x80) {
      this.#room[start - 1] = length;
      return;
    }
    const more = length < 0x4000 ? 1 : 2; // Never more: the room ends before.
    this.#need(more);
    this.#room.copyWithin(start + more, start, this.at);
    this.at = start - 1;
    this.varint(length);
    this.at += length;
  }

  #need(bytes: number): void {
    if (this.at + bytes > roomBytes) throw notPlain;
  }
}
