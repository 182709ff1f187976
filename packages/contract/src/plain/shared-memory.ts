/**
 * Memory for what is small and lives about as long as its neighbours: to make memory for each, and to let go of it, costs more
 * than to fill it. What lies in a piece keeps the whole of it for as long as it lives, so whatever is larger than a quarter of
 * a piece gets memory of its own.
 */
export class SharedMemory {
  readonly #pieceBytes: number;
  #piece: Uint8Array<ArrayBuffer>;
  #taken = 0;

  constructor(pieceBytes: number) {
    this.#pieceBytes = pieceBytes;
    this.#piece = new Uint8Array(pieceBytes);
  }

  /** A place for up to so many bytes. It is the next one's too, unless it is kept. */
  room(mostBytes: number): Uint8Array<ArrayBuffer> | undefined {
    if (mostBytes > this.#pieceBytes / 4) return undefined;
    if (this.#taken + mostBytes > this.#pieceBytes) {
      this.#piece = new Uint8Array(this.#pieceBytes);
      this.#taken = 0;
    }
    return new Uint8Array(this.#piece.buffer, this.#taken, mostBytes);
  }

  /** So many bytes of the last room are in use. */
  keep(bytes: number): void {
    this.#taken += bytes;
  }
}

const copies = new SharedMemory(16 * 1024);

export function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = copies.room(bytes.length);
  if (copy === undefined) return bytes.slice();
  copy.set(bytes);
  copies.keep(bytes.length);
  return copy;
}
