import type { Limits } from "../limits.ts";
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
