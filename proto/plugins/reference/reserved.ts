import type { DescEnum, DescMessage } from "@bufbuild/protobuf";

/** Descriptors end a message's range after its last number, and an enum's range with it. */
export function reservedInMessage({ proto }: DescMessage): string {
  const ranges = proto.reservedRange.map(({ start, end }) => rangeInWords(start, end - 1));
  return reservedInWords(ranges, proto.reservedName);
}

export function reservedInEnum({ proto }: DescEnum): string {
  const ranges = proto.reservedRange.map(({ start, end }) => rangeInWords(start, end));
  return reservedInWords(ranges, proto.reservedName);
}

function rangeInWords(first: number, last: number): string {
  return first === last ? String(first) : `${first} to ${last}`;
}

function reservedInWords(ranges: readonly string[], names: readonly string[]): string {
  const all = [...ranges, ...names.map((name) => `\`${name}\``)];
  return all.length > 0 ? `Reserved: ${all.join(", ")}.` : "";
}
