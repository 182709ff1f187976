import type { Message } from "@bufbuild/protobuf";
import type { Limits } from "../limits.ts";
import { remember } from "./as-it-came.ts";
import { notPlain, type PlainBytes } from "./plain-bytes.ts";

/** A message that is being read, and what of its limits is used up. Both are counted as `scanWire` counts them. */
export interface Reading {
  readonly from: PlainBytes;
  readonly limits: Limits;
  elements: number;
}

export function countElement(reading: Reading): void {
  if (++reading.elements > reading.limits.maxElements) throw notPlain;
}

export function checkDepth({ limits }: Reading, depth: number): void {
  if (depth > limits.maxDepth) throw notPlain;
}

/** Also the value of an enum. */
export function readInt32(from: PlainBytes): number {
  const value = from.varint();
  if (value > 0x7fffffff) throw notPlain;
  return value;
}

/** Reads a message whose bytes are wanted again. */
export function asItCame<Shape extends Message>(
  read: (reading: Reading, end: number, depth: number) => Shape,
  reading: Reading,
  end: number,
  depth: number,
): Shape {
  const { from } = reading;
  const start = from.at;
  const message = read(reading, end, depth);
  remember(message, from.between(start, end));
  return message;
}
