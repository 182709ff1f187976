import type { SQLOutputValue } from "node:sqlite";
import { crc32 } from "node:zlib";
import { bytes, text } from "./columns.ts";

/**
 * The checksum of a journal row, over its directory and its ciphertext, so that it reveals nothing and needs no key. It detects
 * faults of a disk at a fraction of the cost of a hash. In a row without encryption it covers the text; contents have digests of
 * their own.
 */
export function sumOf(directory: string, kept: string | Uint8Array): number {
  return crc32(kept, crc32(directory));
}

/** The checksum of a step, over the ciphertext of both parts. */
export function sumOfStep(info: Uint8Array, value: Uint8Array): number {
  return crc32(value, crc32(info));
}

/** The checksum of a row of knowledge, over its names and its ciphertext. */
export function sumOfKnowledge(topic: string, key: string, content: Uint8Array): number {
  return sumOf(`${topic}\n${key}`, content);
}

/** Rows of older versions have no checksum. */
export function hasItsSum(sum: unknown, directory: string, kept: string | Uint8Array): boolean {
  return sum === null || sum === undefined || sum === sumOf(directory, kept);
}

/** The column that the checksum covers, besides the directory. */
export function summed(row: Readonly<Record<string, SQLOutputValue>>): string | Uint8Array {
  return row.sealed === null || row.sealed === undefined ? text(row.text) : bytes(row.sealed);
}
