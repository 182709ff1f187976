import { getTextEncoding } from "@bufbuild/protobuf/wire";

const maxKeptBytes = 16 * 1024;

/** Memory that something large has made grow beyond this is not kept. */
const mostKept = 4 * 1024 * 1024;

/** Up to here a text is written faster letter by letter than it is quoted and encoded. */
const shortText = 128;

/** Beyond it is encoded first: room for whatever it may be would be three times as much as most of them need. */
const longText = 64 * 1024;

/** A character of one UTF-16 unit has three bytes at the most, one of two units has four. */
const bytesPerUnit = 3;

const [quote, backslash] = [0x22, 0x5c];

/** Writes JSON as bytes, into memory that is used again: to put texts together and to encode them costs several times as much. */
export class JsonWriter {
  #memory = new Uint8Array(maxKeptBytes);
  /** How many bytes are written. What is set back is written over. */
  at = 0;

  /** Forgets what was written. */
  clear(): void {
    this.at = 0;
    if (this.#memory.length > mostKept) this.#memory = new Uint8Array(maxKeptBytes);
  }

  /** All that is written, in memory of its own. */
  copy(): Uint8Array<ArrayBuffer> {
    return this.#memory.slice(0, this.at);
  }

  /** What is written from a place on. */
  since(place: number): string {
    return getTextEncoding().decodeUtf8(this.#memory.subarray(place, this.at));
  }

  /** Changes the first byte of what was written from a place on. */
  begin(place: number, code: number): void {
    this.#memory[place] = code;
  }

  /** Text that is ASCII, as it is. */
  ascii(text: string): void {
    const { length } = text;
    this.#reserve(length);
    const memory = this.#memory;
    for (let index = 0; index < length; index++) memory[this.at + index] = text.charCodeAt(index);
    this.at += length;
  }

  /** Text of any kind, as it is. */
  text(text: string): void {
    if (text.length > longText) return this.#bytes(getTextEncoding().encodeUtf8(text));
    this.#reserve(bytesPerUnit * text.length);
    this.at += getTextEncoding().encodeUtf8Into(text, this.#memory.subarray(this.at)).written;
  }

  /** A text as JSON has it. */
  quoted(text: string): void {
    if (text.length > shortText || !this.#plain(text)) this.text(JSON.stringify(text));
  }

  /** False, and nothing is written, when it has something in it that JSON escapes or that has more than one byte. */
  #plain(text: string): boolean {
    const { length } = text;
    this.#reserve(length + 2);
    const memory = this.#memory;
    let at = this.at;
    memory[at++] = quote;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code < 0x20 || code > 0x7f || code === quote || code === backslash) return false;
      memory[at++] = code;
    }
    memory[at++] = quote;
    this.at = at;
    return true;
  }

  #bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#memory.set(bytes, this.at);
    this.at += bytes.length;
  }

  #reserve(bytes: number): void {
    const needed = this.at + bytes;
    if (needed <= this.#memory.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#memory.length));
    grown.set(this.#memory.subarray(0, this.at));
    this.#memory = grown;
  }
}
