import { SharedMemory } from "@baton/contract";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A message in binary form without one field, and the bytes of that field. */
export interface Cut {
  readonly rest: Uint8Array;
  readonly field: Uint8Array;
}

/** Undefined when the field is missing or occurs more than once, as messages of others may have it. */
export function cutField(bytes: Uint8Array, number: number): Cut | undefined {
  const reader = new BinaryReader(bytes);
  let found: { readonly start: number; readonly from: number; readonly end: number } | undefined;
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [field, wireType] = reader.tag();
    if (field !== number) {
      reader.skip(wireType, field);
      continue;
    }
    if (found || wireType !== WireType.LengthDelimited) return undefined;
    const length = reader.uint32();
    found = { start, from: reader.pos, end: reader.pos + length };
    reader.pos = found.end;
  }
  if (!found || found.end > bytes.length) return undefined;
  const rest = roomFor(bytes.length - (found.end - found.start));
  rest.set(bytes.subarray(0, found.start));
  rest.set(bytes.subarray(found.end), found.start);
  return { rest, field: bytes.subarray(found.from, found.end) };
}

/** The remaining messages are packed soon, so that they may share memory. */
const rests = new SharedMemory(64 * 1024);

function roomFor(bytes: number): Uint8Array {
  const room = rests.room(bytes);
  if (room === undefined) return new Uint8Array(bytes);
  rests.keep(bytes);
  return room;
}
