import type { SQLOutputValue } from "node:sqlite";
import { crc32 } from "node:zlib";
import { bytes, text } from "./columns.ts";

/**
 * The sum of a journal row, over its directory and what is sealed, so that it tells nothing of that and needs no key. It finds
 * what a disk does, which is blind, and costs a fraction of a hash. Of a row that is not sealed it is over the text;
 * contents have digests of their own.
 */
export function sumOf(directory: string, kept: string | Uint8Array): number {
  return crc32(kept, crc32(directory));
}

/** Rows of earlier versions have no sum. */
export function hasItsSum(sum: unknown, directory: string, kept: string | Uint8Array): boolean {
  return sum === null || sum === undefined || sum === sumOf(directory, kept);
}

/** What of a row its sum is over, beside the directory. */
export function summed(row: Readonly<Record<string, SQLOutputValue>>): string | Uint8Array {
  return row.sealed === null || row.sealed === undefined ? text(row.text) : bytes(row.sealed);
}
