import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";
import { joinCrc, shiftOf } from "./join-crc.ts";

/**
 * A part that fits into any gzip stream: it is aligned to bytes, refers to nothing before it, and has its share of the
 * checksum. What many watchers receive is compressed once.
 */
export interface Piece {
  readonly deflated: Buffer;
  readonly length: number;
  readonly crc: number;
  readonly crcShift: number;
}

export const gzipSizes = {
  /** Smaller pieces are stored uncompressed: compressing them takes longer than writing them. */
  compressedFrom: 4 * 1024,
  /** Smaller pieces are compressed at once: handing them to another thread takes longer. */
  asyncFrom: 16 * 1024,
} as const;

/** The fastest level; the full flush aligns the piece and resets the dictionary. */
const fast = { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_FULL_FLUSH, chunkSize: 64 * 1024 };

const deflateAsync = promisify<Buffer, typeof fast, Buffer>(deflateRaw);

const known = new WeakMap<Buffer, Piece | Promise<Piece>>();

/** The piece of a buffer, made once per buffer, which must not be changed. */
export function pieceOf(bytes: Buffer): Piece | Promise<Piece> {
  const found = known.get(bytes);
  if (found) return found;
  const made = make(bytes);
  known.set(bytes, made);
  return made;
}

function make(bytes: Buffer): Piece | Promise<Piece> {
  if (bytes.length < gzipSizes.asyncFrom) return pieceNow(bytes);
  return deflateAsync(bytes, fast).then((deflated) => describe(bytes, deflated));
}

/** The piece of bytes that go to one watcher only. */
export function pieceNow(bytes: Buffer): Piece {
  const isSmall = bytes.length < gzipSizes.compressedFrom;
  return describe(bytes, isSmall ? store(bytes) : deflateRawSync(bytes, fast));
}

/** An uncompressed block: its kind, its length twice, and its bytes (RFC 1951 §3.2.4). */
function store(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return Buffer.concat([head, bytes]);
}

function describe(bytes: Buffer, deflated: Buffer): Piece {
  return { deflated, length: bytes.length, crc: crc32(bytes), crcShift: shiftOf(bytes.length) };
}

/** Deflate, without name, time and system (RFC 1952 §2.3). */
const beginning = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** An empty block that is the last one. */
const lastBlock = [0x03, 0x00];

/** A gzip stream of pieces. Its output must be written in order. */
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
