/** Text that comes in pieces: its beginning and its end are kept, and what lies between is dropped and said so. */
export class BoundedText {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #head: Buffer[] = [];
  #headSize = 0;
  #tail: Buffer[] = [];
  #tailSize = 0;
  #dropped = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#headBytes = headBytes;
    this.#tailBytes = tailBytes;
  }

  push(piece: Buffer): void {
    const room = this.#headBytes - this.#headSize;
    if (room > 0) {
      const first = piece.subarray(0, room);
      this.#head.push(Buffer.from(first));
      this.#headSize += first.length;
    }
    if (piece.length > room) this.#pushTail(room > 0 ? piece.subarray(room) : piece);
  }

  #pushTail(piece: Buffer): void {
    this.#tail.push(Buffer.from(piece));
    this.#tailSize += piece.length;
    // A few pieces at a time, so that a program that prints byte by byte does not make us copy for each.
    if (this.#tailSize > 2 * this.#tailBytes || this.#tail.length > 1_024) this.#trim();
  }

  #trim(): void {
    const all = Buffer.concat(this.#tail);
    const over = Math.max(0, all.length - this.#tailBytes);
    this.#dropped += over;
    this.#tail = [Buffer.from(all.subarray(over))];
    this.#tailSize = all.length - over;
  }

  toString(): string {
    this.#trim();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.#dropped === 0) return new TextDecoder().decode(Buffer.concat([head, tail]));
    const [start, end] = [withoutCutEnd(head), withoutCutStart(tail)];
    const cut = this.#dropped + (head.length - start.length) + (tail.length - end.length);
    return `${decode(start)}\n[… ${cut} bytes left out …]\n${decode(end)}`;
  }
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Without a last character that is only half there. */
function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Without the rest of a character whose beginning is gone. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
