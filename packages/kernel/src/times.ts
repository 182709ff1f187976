import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";

/**
 * What `timestampFromMs` and `durationFromMs` make, written out and not left to `create`: every envelope and every entry of
 * the audit has some.
 */

export function timestampOf(ms: number): Timestamp {
  const seconds = Math.floor(ms / 1_000);
  const nanos = (ms - seconds * 1_000) * 1_000_000;
  return { $typeName: "google.protobuf.Timestamp", seconds: BigInt(seconds), nanos };
}

export function durationOf(ms: number): Duration {
  const seconds = Math.trunc(ms / 1_000);
  const nanos = (ms - seconds * 1_000) * 1_000_000;
  return { $typeName: "google.protobuf.Duration", seconds: BigInt(seconds), nanos };
}
