import type { DescMessage } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import type { Limits } from "../limits.ts";
import { type FieldShape, type Shape, shapeOf } from "./wire-shape.ts";

/** Faults of an encoded message. */
export type WireFault =
  | { readonly kind: "malformed"; readonly at: number; readonly reason: string }
  | { readonly kind: "depth" }
  | { readonly kind: "elements" };

/**
 * Looks for what the decoder would not refuse, in one pass that allocates nothing.
 *
 * The decoder reads a field by its declared type whatever its tag says, so a string sent where a number belongs would
 * come out as something else instead of as an error. It also allocates as it goes, and two bytes on the wire can
 * become an object of a hundred.
 */
export function scanWire(schema: DescMessage, bytes: Uint8Array, limits: Limits): WireFault | undefined {
  try {
    scanMessage({ bytes, limits, at: 0, elements: 0 }, shapeOf(schema), bytes.length, 0);
    return undefined;
  } catch (found) {
    if (found instanceof Found) return found.fault;
    throw found;
  }
}

interface Scan {
  readonly bytes: Uint8Array;
  readonly limits: Limits;
  at: number;
  elements: number;
}

/** Ends the scan from any depth. Not an Error: its stack is not needed. */
class Found {
  readonly fault: WireFault;
  constructor(fault: WireFault) {
    this.fault = fault;
  }
}

function malformed(at: number, reason: string): Found {
  return new Found({ kind: "malformed", at, reason });
}

function scanMessage(scan: Scan, shape: Shape, end: number, outer: number): void {
  const depth = outer + shape.level;
  checkDepth(scan, depth);
  while (scan.at < end) {
    const start = scan.at;
    const tag = readVarint(scan, end);
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (number < 1 || number > 0x1fffffff) throw malformed(start, `field number ${number} is not allowed`);
    const field = shape.fields.get(number);
    if (field === undefined || field.element) countElement(scan);
    if (field !== undefined) checkWireType(shape, field, wireType, start);
    if (field?.message) scanMessage(scan, field.message(), readLength(scan, number, end), depth);
    else skip(scan, wireType, number, end, depth);
  }
}

function checkWireType(shape: Shape, field: FieldShape, wireType: number, at: number): void {
  if (wireType === field.wireType || (field.packable && wireType === WireType.LengthDelimited)) return;
  const expected = `${WireType[field.wireType]}, not ${WireType[wireType] ?? wireType}`;
  throw malformed(at, `${shape.name}.${field.name} must be of wire type ${expected}`);
}

function skip(scan: Scan, wireType: number, number: number, end: number, depth: number): void {
  const start = scan.at;
  switch (wireType) {
    case WireType.Varint:
      readVarint(scan, end);
      break;
    case WireType.Bit64:
      scan.at += 8;
      break;
    case WireType.Bit32:
      scan.at += 4;
      break;
    case WireType.LengthDelimited:
      scan.at = readLength(scan, number, end);
      break;
    case WireType.StartGroup:
      skipGroup(scan, number, end, depth + 1);
      break;
    default:
      throw malformed(start, `wire type ${wireType} is not allowed here`);
  }
  if (scan.at > end) throw malformed(start, `field ${number} is cut off`);
}

/** Only unknown fields are groups: proto3 has none, but a peer of another age may send one. */
function skipGroup(scan: Scan, group: number, end: number, depth: number): void {
  checkDepth(scan, depth);
  const start = scan.at;
  while (scan.at < end) {
    const tag = readVarint(scan, end);
    const number = Math.floor(tag / 8);
    if (tag % 8 === WireType.EndGroup) {
      if (number === group) return;
      throw malformed(start, `group ${group} is closed by ${number}`);
    }
    countElement(scan);
    skip(scan, tag % 8, number, end, depth);
  }
  throw malformed(start, `group ${group} is not closed`);
}

/** The end of a field whose length comes first. */
function readLength(scan: Scan, number: number, end: number): number {
  const start = scan.at;
  const length = readVarint(scan, end);
  if (scan.at + length > end) throw malformed(start, `field ${number} is cut off`);
  return scan.at + length;
}

/** Exact up to 2^53, which is more than any tag or length may be; larger values are only skipped. */
function readVarint(scan: Scan, end: number): number {
  const start = scan.at;
  let value = 0;
  let scale = 1;
  for (let count = 0; count < 10; count++) {
    if (scan.at >= end) throw malformed(start, "a number is cut off");
    const byte = scan.bytes[scan.at++] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 128;
  }
  throw malformed(start, "a number has more than ten bytes");
}

function checkDepth({ limits }: Scan, depth: number): void {
  if (depth > limits.maxDepth) throw new Found({ kind: "depth" });
}

function countElement(scan: Scan): void {
  scan.elements++;
  if (scan.elements > scan.limits.maxElements) throw new Found({ kind: "elements" });
}
