/**
 * What of an entry says where it belongs, and the bytes that its hash is made of. An entry as it is stored is framed
 * without being decoded: its canonical form and its binary form share their bytes (seal.ts), so a million of them are
 * checked in a fraction of the time that decoding them would take.
 */
import { type AuditEntry, AuditEntrySchema } from "@baton/contract/messages";
import { fromBinary } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { entryBytes } from "./canonical.ts";
import { entryPrefix } from "./prefixes.ts";

export interface EntryFrame {
  readonly tenantId: string;
  readonly sequence: bigint;
  readonly previousHash: Uint8Array | undefined;
  readonly entryHash: Uint8Array | undefined;
  /** What the hash is the hash of. The bytes hold until the next call. Throws `UnknownField`. */
  hashed(): Uint8Array;
}

export function frameEntry(entry: AuditEntry): EntryFrame {
  const { tenantId, sequence, previousHash, entryHash } = entry;
  return { tenantId, sequence, previousHash, entryHash, hashed: () => entryBytes(entry) };
}

/**
 * Frames an entry in its binary form; undefined when it is none. Whatever is not laid out as the sealer lays it out is
 * decoded, and its canonical form is written anew: then one meaning has one hash here too.
 */
export function frameBytes(bytes: Uint8Array): EntryFrame | undefined {
  try {
    return frameSealed(bytes) ?? frameEntry(fromBinary(AuditEntrySchema, bytes));
  } catch {
    return undefined;
  }
}

const hashLength = 32;
/** `entry_hash`, the last field: number 25, delimited, its length. */
const marker = Uint8Array.of(0xca, 0x01, hashLength);
const tailLength = marker.length + hashLength;

/** Numbers of the fields that a frame has, and of the last one before the hash. */
const fields = { tenantId: 6, sequence: 23, previousHash: 24 } as const;
const [varint, delimited] = [0, 2];

class SealedFrame implements EntryFrame {
  tenantId = "";
  sequence = 0n;
  previousHash: Uint8Array | undefined = undefined;
  readonly entryHash: Uint8Array;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array, end: number) {
    this.#bytes = bytes;
    this.#end = end;
    this.entryHash = bytes.subarray(end + marker.length);
  }

  hashed(): Uint8Array {
    const length = entryPrefix.length + this.#end;
    if (scratch.length < length) {
      scratch = new Uint8Array(2 * length);
      scratch.set(entryPrefix);
    }
    scratch.set(this.#bytes.subarray(0, this.#end), entryPrefix.length);
    return scratch.subarray(0, length);
  }
}

/** Used again for every entry: new memory for each would be a good part of what it costs. */
let scratch = new Uint8Array(4096);
scratch.set(entryPrefix);

/** Fields by ascending number, each once, the hash at the end; anything else is undefined. */
function frameSealed(bytes: Uint8Array): EntryFrame | undefined {
  const end = bytes.length - tailLength;
  if (end < 0 || marker.some((byte, at) => bytes[end + at] !== byte)) return undefined;
  const frame = new SealedFrame(bytes, end);
  const place: Place = { at: 0, value: 0 };
  for (let last = 0; place.at < end; ) {
    if (!readVarint(bytes, place, end)) return undefined;
    const number = Math.floor(place.value / 8);
    const type = place.value % 8;
    if (number <= last || number > fields.previousHash) return undefined;
    last = number;
    const start = place.at;
    if (!readVarint(bytes, place, end)) return undefined;
    if (type === varint) {
      if (number === fields.sequence) frame.sequence = BigInt(place.value);
    } else if (type === delimited) {
      const from = place.at;
      place.at += place.value;
      if (place.at > end) return undefined;
      if (number === fields.tenantId) frame.tenantId = readText(bytes, start, place.at);
      else if (number === fields.previousHash) frame.previousHash = bytes.subarray(from, place.at);
    } else {
      return undefined;
    }
  }
  return frame;
}

interface Place {
  at: number;
  value: number;
}

/** Numbers above what a double holds exactly are left to the decoder. */
function readVarint(bytes: Uint8Array, place: Place, end: number): boolean {
  let value = 0;
  let unit = 1;
  for (let at = place.at; at < end && unit <= 2 ** 42; at++, unit *= 128) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * unit;
    if (byte < 0x80) {
      place.at = at + 1;
      place.value = value;
      return true;
    }
  }
  return false;
}

let lastText = { bytes: new Uint8Array(), text: "" };

/** A text with its length before it. All entries of a record have the same tenant. */
function readText(bytes: Uint8Array, start: number, end: number): string {
  const known = lastText.bytes;
  let same = known.length === end - start;
  for (let at = 0; same && at < known.length; at++) same = known[at] === bytes[start + at];
  if (!same) {
    const own = bytes.slice(start, end);
    lastText = { bytes: own, text: new BinaryReader(own).string() };
  }
  return lastText.text;
}
