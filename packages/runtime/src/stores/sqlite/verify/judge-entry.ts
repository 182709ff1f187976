/**
 * Compares audit entries with their hashes (OBS-04), without decoding them: an entry of the contract ends with `entry_hash`
 * (field 25, delimited, 32 bytes), the hash of everything before it behind the prefix of the canonical form. This finds
 * accidental damage; verifying the chain finds deliberate changes.
 */
import { hash } from "node:crypto";
import { entryPrefix } from "@baton/kernel/stored";

const marker = Uint8Array.of(0xca, 0x01, 0x20);
const hashLength = 32;
const tailLength = marker.length + hashLength;

export type Judgement = "whole" | "broken" | "unknown";

/** A store keeps any bytes. Those that end like an entry of the contract, or with their hash, are compared. */
export function judgeEntry(hashBytes: Uint8Array, entry: Uint8Array): Judgement {
  const hashed = entry.length - tailLength;
  if (hashed < 0 || hashBytes.length !== hashLength) return "unknown";
  const hasMarker = Buffer.compare(entry.subarray(hashed, hashed + marker.length), marker) === 0;
  const hasHash = Buffer.compare(entry.subarray(hashed + marker.length), hashBytes) === 0;
  if (!hasMarker && !hasHash) return "unknown";
  if (!hasMarker || !hasHash) return "broken";
  const sum = hash("sha256", Buffer.concat([entryPrefix, entry.subarray(0, hashed)]), "buffer");
  return Buffer.compare(sum, hashBytes) === 0 ? "whole" : "broken";
}

/** Whether an entry carries the hash of the previous one. */
export function follows(entry: Uint8Array, previousHash: Uint8Array): boolean {
  return asBuffer(entry).includes(asBuffer(previousHash));
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
