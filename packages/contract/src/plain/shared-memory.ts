/** Pieces of memory that copies share. */
const pieceBytes = 16 * 1024;

/** A copy keeps its whole piece for as long as it lives, so a larger one gets memory of its own. */
const mostShared = 4 * 1024;

let piece = new Uint8Array(pieceBytes);
let taken = 0;

/** A copy of few bytes. Side by side with others: to make memory for each, and to let go of it, costs more than to copy. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length > mostShared) return bytes.slice();
  if (taken + length > pieceBytes) {
    piece = new Uint8Array(pieceBytes);
    taken = 0;
  }
  const copy = new Uint8Array(piece.buffer, taken, length);
  copy.set(bytes);
  taken += length;
  return copy;
}
