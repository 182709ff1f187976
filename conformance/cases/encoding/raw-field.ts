/** Fields as they are on the wire, one maker for each way in which protobuf writes a field. */
import type { UnknownField } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

export function varint(no: number, value: bigint): UnknownField {
  return {
    no,
    wireType: WireType.Varint,
    data: new BinaryWriter().uint64(BigInt.asUintN(64, value)).finish(),
  };
}

export function text(no: number, value: string): UnknownField {
  return { no, wireType: WireType.LengthDelimited, data: new BinaryWriter().string(value).finish() };
}

export function fixed32(no: number, value: number): UnknownField {
  return { no, wireType: WireType.Bit32, data: new BinaryWriter().fixed32(value).finish() };
}

export function fixed64(no: number, value: bigint): UnknownField {
  return { no, wireType: WireType.Bit64, data: new BinaryWriter().fixed64(value).finish() };
}

export function double(no: number, value: number): UnknownField {
  return { no, wireType: WireType.Bit64, data: new BinaryWriter().double(value).finish() };
}

export function message(no: number, ...members: readonly UnknownField[]): UnknownField {
  const content = new BinaryWriter().bytes(encodeFields(...members)).finish();
  return { no, wireType: WireType.LengthDelimited, data: content };
}

/** A group: obsolete, but every decoder has to step over it. */
export function group(no: number, ...members: readonly UnknownField[]): UnknownField {
  const writer = new BinaryWriter().raw(encodeFields(...members)).tag(no, WireType.EndGroup);
  return { no, wireType: WireType.StartGroup, data: writer.finish() };
}

export function encodeFields(...fields: readonly UnknownField[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { no, wireType, data } of fields) writer.tag(no, wireType).raw(data);
  return writer.finish();
}
