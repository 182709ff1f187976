import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";
import { joinCrc, shiftOf } from "./join-crc.ts";

/**
 * A part of a gzip stream that may stand in any of them: it begins and ends with a byte, refers to nothing in front of it, and
 * knows what it adds to the checksum. So what many are sent is compressed once.
 */
export interface Piece {
  readonly deflated: Buffer;
  readonly length: number;
  readonly crc: number;
  readonly crcShift: number;
}

export const gzipSizes = {
  /** What is smaller is sent as it is, in a stored block: to compress it takes longer than to write it. */
  compressedFrom: 4 * 1024,
  /** What is smaller is compressed at once: to hand it to another thread takes longer. */
  elsewhereFrom: 16 * 1024,
} as const;

/** The fastest, and at its end whatever was begun is written out and forgotten. */
const fast = { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_FULL_FLUSH, chunkSize: 64 * 1024 };

const deflateElsewhere = promisify<Buffer, typeof fast, Buffer>(deflateRaw);

const known = new WeakMap<Buffer, Piece | Promise<Piece>>();

/** The piece of these bytes, which is made once: the same for everybody who has the same buffer, and nobody may change it. */
export function pieceOf(bytes: Buffer): Piece | Promise<Piece> {
  const found = known.get(bytes);
  if (found) return found;
  const made = make(bytes);
  known.set(bytes, made);
  return made;
}

function make(bytes: Buffer): Piece | Promise<Piece> {
  if (bytes.length < gzipSizes.elsewhereFrom) return pieceNow(bytes);
  return deflateElsewhere(bytes, fast).then((deflated) => describe(bytes, deflated));
}

/** The piece of bytes that nobody else is sent. */
export function pieceNow(bytes: Buffer): Piece {
  const isSmall = bytes.length < gzipSizes.compressedFrom;
  return describe(bytes, isSmall ? store(bytes) : deflateRawSync(bytes, fast));
}

/** A block that is not compressed: its kind, its length twice, and its bytes (RFC 1951 §3.2.4). */
function store(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

function describe(bytes: Buffer, deflated: Buffer): Piece {
  return { deflated, length: bytes.length, crc: crc32(bytes), crcShift: shiftOf(bytes.length) };
}

/** Deflate, no name, no time, and a system that is not told (RFC 1952 §2.3). */
const beginning = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** An empty block that is the last one. */
const lastBlock = [0x03, 0x00];

/** A gzip stream of pieces. What it gives is written in the order in which it was given. */
export class GzipStream {
  #crc = 0;
  #length = 0;

  begin(): Buffer {
    return beginning;
  }

  add({ deflated, length, crc, crcShift }: Piece): Buffer {
    this.#crc = joinCrc(this.#crc, crc, crcShift);
    this.#length = (this.#length + length) % 2 ** 32;
    return deflated;
  }

  end(): Buffer {
    const end = Buffer.from([...lastBlock, 0, 0, 0, 0, 0, 0, 0, 0]);
    end.writeUInt32LE(this.#crc, 2);
    end.writeUInt32LE(this.#length, 6);
    return end;
  }
}
