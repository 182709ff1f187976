export type Line =
  | { readonly kind: "line"; readonly text: Buffer }
  | { readonly kind: "blank"; readonly bytes: number }
  /** Not read to its end: it is the last. */
  | { readonly kind: "too-long"; readonly bytes: number; readonly beginning: Buffer };

const newline = 0x0a;
/** Pieces are merged beyond this, so that a line that comes byte by byte does not cost a hundred times its size. */
const maxPieces = 1_024;

/** Lines of a stream of bytes, none longer than `max`. The last one may lack its end. */
export async function* readLines(chunks: AsyncIterable<Buffer>, max: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = [];
  let size = 0;
  const take = (): Line => {
    const text = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    pieces = [];
    size = 0;
    return isBlank(text) ? { kind: "blank", bytes: text.length + 1 } : { kind: "line", text };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(newline, from);
      const piece = chunk.subarray(from, end === -1 ? undefined : end);
      size += piece.length;
      pieces.push(piece);
      if (pieces.length > maxPieces) pieces = [Buffer.concat(pieces)];
      if (size > max) {
        const beginning = Buffer.concat(pieces).subarray(0, 64);
        yield { kind: "too-long", bytes: size, beginning };
        return;
      }
      if (end === -1) break;
      yield take();
      from = end + 1;
    }
  }
  if (size > 0) yield take();
}

function isBlank(text: Buffer): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
