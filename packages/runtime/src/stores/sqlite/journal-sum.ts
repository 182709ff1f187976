import { crc32 } from "node:zlib";

/**
 * The sum of a journal row, over its directory and its text; contents have digests of their own. It finds what a disk does,
 * which is blind, and costs a fraction of a hash.
 */
export function sumOf(directory: string, text: string): number {
  return crc32(text, crc32(directory));
}

/** Rows of earlier versions have no sum. */
export function hasItsSum(sum: unknown, directory: string, text: string): boolean {
  return sum === null || sum === undefined || sum === sumOf(directory, text);
}
